import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Machine } from '@/domain/machines'
import { createLog } from '@/kit/log'
import { machineOf } from '@/testing/candidates'
import { until } from '@/testing/until'
import { keepLocalAgent, type LocalAgent } from './local-agent'

const FAST = { lookMs: 5, firstRestartMs: 5, lastRestartMs: 20 }

let folder = ''
let agent: LocalAgent | null = null
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-child-'))
})
afterEach(async () => {
  await agent?.close()
  agent = null
  rmSync(folder, { recursive: true, force: true })
})

/** A program that writes down each launch message that it gets, then does what the test says. */
function program(then: string): { file: string; launches: () => { joinToken: string; pid: number }[] } {
  const file = path.join(folder, 'agent.mjs')
  const record = path.join(folder, 'launches')
  writeFileSync(record, '')
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
     process.once('disconnect', () => process.exit(0))
     process.on('message', (m) => { appendFileSync(${JSON.stringify(record)}, JSON.stringify({ ...m, pid: process.pid }) + '\\n'); ${then} })`,
  )
  const launches = () =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { file, launches }
}

function keep(file: string, ensureMachine: () => Promise<Machine | null> = async () => machineOf('box')) {
  let tokens = 0
  agent = keepLocalAgent({
    ensureMachine,
    mintJoinToken: async () => `token-${++tokens}`,
    socket: '/run/agents.sock',
    program: file,
    log: createLog('test', { level: 'silent' }),
    timing: FAST,
  })
  return agent
}

describe('the agent of this machine', () => {
  it('starts only once somebody owns the machine, and is told where to dial', async () => {
    const { file, launches } = program('')
    let looks = 0
    keep(file, async () => (++looks < 3 ? null : machineOf('box')))
    await until('it is launched', () => launches().length === 1)
    expect(looks).toBe(3)
    expect(launches()).toMatchObject([{ type: 'launch', socket: '/run/agents.sock', joinToken: 'token-1' }])
  })

  it('I10 X57: is started again with a fresh token when it ends', async () => {
    const { file, launches } = program('if (m.joinToken !== "token-3") process.exit(1)')
    keep(file)
    await until('it is launched a third time', () => launches().length === 3)
    expect(launches().map((l) => l.joinToken)).toEqual(['token-1', 'token-2', 'token-3'])
  })

  it('goes on trying while the store does not answer', async () => {
    const { file, launches } = program('')
    let looks = 0
    keep(file, async () => {
      if (++looks < 3) throw new Error('database is locked')
      return machineOf('box')
    })
    await until('it is launched', () => launches().length === 1)
  })

  it('ends with the controller, and is not started again', async () => {
    const { file, launches } = program('')
    const kept = keep(file)
    await until('it is launched', () => launches().length === 1)
    await kept.close()
    const pid = launches()[0]?.pid ?? 0
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
    expect(launches()).toHaveLength(1)
  })
})
