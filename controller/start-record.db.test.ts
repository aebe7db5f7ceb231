import { expect, it } from 'vitest'
import { because, type Reason } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { createLog } from '@/kit/log'
import { clearSuspect } from '@/server/service/machines'
import { whyWaiting } from '@/server/service/why'
import { createWorkload } from '@/server/service/workloads'
import { machineById } from '@/server/store/system/machines'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { StartRecord } from './start-record'

const FAILED = because('start_failed', { stage: 'starting' })
const VANISHED = because('retry_vanished', { machine: 'box', attempt: 1 })
const NO_ROOM = because('retry_capacity', { machine: 'box', attempt: 1 })
const BAD_PACKAGE = because('environment_failed', {})

eachProvider('a machine on which starts fail', (get) => {
  const open = async () => {
    const db = get()
    const seed = await seedTenant(db)
    const ctx = ctxFor(db, seed)
    const machine = await seedMachine(db, seed)
    const placed: Workload[] = []
    for (let n = 0; n < 4; n++) placed.push(await seedPlaced(ctx, machine))
    const record = new StartRecord(createLog('test', { level: 'silent' }))
    /** What came of the start of one of the workloads; null: it came up. */
    const tell = async (n: number, reason: Reason | null) => {
      const workload = placed[n]
      if (!workload) throw new Error('no such workload')
      await record.tell(db, { workload, reason: reason ?? because('started', {}), isUp: reason === null })
      return (await machineById(db, machine.id))?.state
    }
    return { db, ctx, machine, placed, tell }
  }

  it.each<[string, [number, Reason | null][], string]>([
    [
      'two workloads: trusted',
      [
        [0, FAILED],
        [1, VANISHED],
      ],
      'active',
    ],
    [
      'three workloads in a row: suspect',
      [
        [0, FAILED],
        [1, VANISHED],
        [2, FAILED],
      ],
      'suspect',
    ],
    [
      'one workload thrice: trusted, it may be its own fault',
      [
        [0, FAILED],
        [0, VANISHED],
        [0, FAILED],
      ],
      'active',
    ],
    [
      'one came up between: trusted',
      [
        [0, FAILED],
        [1, FAILED],
        [2, null],
        [3, FAILED],
      ],
      'active',
    ],
    [
      'without room: trusted',
      [
        [0, NO_ROOM],
        [1, NO_ROOM],
        [2, NO_ROOM],
      ],
      'active',
    ],
    [
      'by what its user asked for: trusted',
      [
        [0, BAD_PACKAGE],
        [1, BAD_PACKAGE],
        [2, BAD_PACKAGE],
      ],
      'active',
    ],
    [
      'suspect, and one that was under way came up: trusted again',
      [
        [0, FAILED],
        [1, FAILED],
        [2, FAILED],
        [3, null],
      ],
      'active',
    ],
  ])('%s', async (_, starts, expected) => {
    const { tell } = await open()
    let state: string | undefined
    for (const [n, reason] of starts) state = await tell(n, reason)
    expect(state).toBe(expected)
  })

  it('takes no new work, says why, and takes it again when its owner says so; then it counts anew', async () => {
    const { ctx, machine, tell } = await open()
    for (const n of [0, 1, 2]) await tell(n, FAILED)
    const waiting = await createWorkload(ctx, createInput())
    const why = await whyWaiting(ctx, waiting.id)
    expect(why.chosen).toBeNull()
    expect(why.machines).toMatchObject([{ droppedBy: 'online', detail: 'suspect' }])
    expect(await clearSuspect(ctx, machine.id)).toMatchObject({ state: 'active' })
    expect((await whyWaiting(ctx, waiting.id)).chosen).toMatchObject({ machineId: machine.id })
    expect(await tell(3, FAILED)).toBe('active')
  })
})
