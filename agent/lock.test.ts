import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LockHeld, takeLock } from './lock'
import { processStart } from './process-start'

let folder = ''
let programs = ''
const children: ChildProcess[] = []
beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'berth-contender-'))
  const stdin = { contents: CONTENDER, resolveDir: process.cwd(), loader: 'ts' as const }
  await build({ stdin, outfile: join(programs, 'contender.mjs'), bundle: true, platform: 'node', format: 'esm' })
})
afterAll(() => rmSync(programs, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Takes the lock once a line arrives, says how it went, and keeps it until it is killed. */
const CONTENDER = `
  import { takeLock } from './agent/lock.ts'
  process.stdin.once('data', () => {
    try {
      takeLock(process.argv[2], 'boot')
      process.stdout.write('held\\n')
    } catch {
      process.stdout.write('refused\\n')
    }
  })
  process.stdout.write('ready\\n')`

/** A contender that has started and waits for the word. */
async function contender() {
  const child = spawn(process.execPath, [join(programs, 'contender.mjs'), folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    child,
    go: async () => {
      child.stdin.write('go\n')
      return String((await lines.next()).value)
    },
  }
}

describe('the lock of the agent', () => {
  it('is held by exactly one of many that start at once, and again after that one is killed', async () => {
    const first = await Promise.all(Array.from({ length: 6 }, contender))
    const answers = await Promise.all(first.map((c) => c.go()))
    expect(answers.filter((a) => a === 'held')).toHaveLength(1)
    const holder = first[answers.indexOf('held')]?.child
    const ended = holder && once(holder, 'exit')
    holder?.kill('SIGKILL')
    await ended

    const second = await Promise.all(Array.from({ length: 6 }, contender))
    const next = await Promise.all(second.map((c) => c.go()))
    expect(next.filter((a) => a === 'held')).toHaveLength(1)
  })

  it('names the process that holds it, and is free after a release', () => {
    const lock = takeLock(folder, 'boot')
    expect(() => takeLock(folder, 'boot')).toThrow(new LockHeld(process.pid))
    lock.release()
    takeLock(folder, 'boot').release()
  })

  it.each([
    ['another boot', { pid: process.pid, start: processStart(process.pid), bootId: 'older boot' }],
    ['a pid that the kernel gave to another process', { pid: process.pid, start: '1', bootId: 'boot' }],
    ['a process that ended', { pid: 2 ** 22 - 1, start: '1', bootId: 'boot' }],
  ])('takes over from %s', (_, holder) => {
    writeFileSync(join(folder, 'lock.7'), JSON.stringify(holder))
    takeLock(folder, 'boot')
    expect(readdirSync(folder)).toEqual(['lock.8'])
  })

  it('takes over from a damaged file', () => {
    writeFileSync(join(folder, 'lock.1'), '')
    takeLock(folder, 'boot')
    expect(readdirSync(folder)).toEqual(['lock.2'])
  })
})
