import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-shutdown-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A program that ends with its parent, as the controller and the agent do; it says `up` when it has done `first`. */
async function programAfter(first: string): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const file = path.join(folder, 'program.mts')
  writeFileSync(
    file,
    `import { onShutdown } from ${JSON.stringify(path.resolve('kit/shutdown.ts'))}
${first}
const log = { info: () => undefined, error: () => undefined }
onShutdown(async () => undefined, { log, graceMs: 1000, exitWithParent: true })
setInterval(() => undefined, 1000)
if (process.connected) process.send('up')`,
  )
  const child = fork(file, [], { execArgv: ['--import', 'tsx'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => code)
  await once(child, 'message')
  return { child, ended }
}

it('ends with a parent that goes while it runs', async () => {
  const { child, ended } = await programAfter('')
  child.disconnect()
  expect(await ended).toBe(0)
})

it('ends with a parent that went while it was loaded', async () => {
  const gone = `const gone = new Promise((resolve) => process.once('disconnect', resolve))
process.send('loading')
await gone`
  const { child, ended } = await programAfter(gone)
  child.disconnect()
  expect(await ended).toBe(0)
})
