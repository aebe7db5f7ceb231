import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { until } from '@/testing/until'
import { type ControllerChild, superviseController } from './controller-child'

const log = createLog('test', { level: 'fatal' })
const backoffMs = { first: 5, last: 20 }
let directory: string
let supervised: ControllerChild | null = null
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'berth-controller-'))
})
afterEach(async () => {
  await supervised?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts a program in the controller's place. It may append to `seen`. */
function supervise(program: string, stopGraceMs = 20_000): { child: ControllerChild; seen: () => string[] } {
  const file = path.join(directory, 'controller.mjs')
  const seen = path.join(directory, 'seen')
  writeFileSync(seen, '')
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'\nconst note = (s) => appendFileSync(${JSON.stringify(seen)}, s + '\\n')\n${program}`,
  )
  supervised = superviseController({ file, env: process.env, log, backoffMs, stopGraceMs })
  return { child: supervised, seen: () => readFileSync(seen, 'utf8').split('\n').filter(Boolean) }
}
describe('superviseController', () => {
  it('says when it is ready and ends it at stop', async () => {
    const { child, seen } = supervise(
      `process.on('SIGTERM', () => { note('term'); process.exit(0) }); process.on('disconnect', () => process.exit(0)); process.send({ type: 'ready' })`,
    )
    await child.ready
    await child.stop()
    expect(seen()).toEqual(['term'])
  })

  it('I10: starts it again each time it ends, also when it was killed', async () => {
    const { child, seen } = supervise(
      `note(String(process.pid)); process.on('disconnect', () => process.exit(0)); process.send({ type: 'ready' })`,
    )
    await child.ready
    for (let i = 1; i <= 3; i++) {
      await until(`start ${i}`, () => seen().length === i)
      process.kill(Number(seen().at(-1)), 'SIGKILL')
    }
    await until('the fourth start', () => seen().length === 4)
    expect(new Set(seen()).size).toBe(4)
  })

  it('gives up when it ends three times before it was ever ready', async () => {
    const { child, seen } = supervise(`note('start'); process.exit(1)`)
    await expect(child.ready).rejects.toThrow('the controller ended three times while it started')
    expect(seen()).toHaveLength(3)
  })

  it('kills one that does not end in time', async () => {
    const { child, seen } = supervise(
      `process.on('SIGTERM', () => note('ignored')); process.send({ type: 'ready' }); setInterval(() => {}, 1000)`,
      2000,
    )
    await child.ready
    await child.stop()
    expect(seen()).toEqual(['ignored'])
  })
})
