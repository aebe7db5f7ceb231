import { expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { because, reasonText } from '@/domain/reasons'
import { NO_SETTINGS } from '@/domain/workloads'
import { createLog } from '@/kit/log'
import { listEvents } from '@/server/store/events'
import { beginOperation } from '@/server/store/operations'
import { saveSettings, setPlannedStop } from '@/server/store/settings'
import { workloadById } from '@/server/store/system/workloads'
import { CATALOG } from '@/testing/candidates'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced, seedRunning, seedTenant } from '@/testing/seed'
import { plan } from './plan'
import { execute } from './runner'
import { StartRecord } from './start-record'
import type { StepCtx } from './steps'
import { factOf, factsOf } from './testing/plan-facts'

eachProvider('a step', (get) => {
  const open = async () => {
    const db = get()
    const seed = await seedTenant(db)
    const ctx = ctxFor(db, seed)
    const machine = await seedMachine(db, seed)
    const workload = await seedRunning(ctx, machine)
    const world: StepCtx = {
      ...{ db, backend: new FakeBackend(async () => machine.id), catalog: CATALOG, now: ctx.now, newId: ctx.newId },
      epoch: () => 1,
      starts: new StartRecord(createLog('test', { level: 'silent' })),
    }
    const events = async () =>
      (await listEvents(db, ctx.tenantId, { workloadId: workload.id, limit: 100 })).map((e) => e.reason.code)
    return { db, ctx, machine, workload, world, events, state: async () => (await workloadById(db, workload.id))?.state }
  }

  it.each([
    { isRestarting: true, isResumed: false, state: 'queued', last: 'restart_goes_on' },
    { isRestarting: true, isResumed: true, state: 'queued', last: 'restart_goes_on' },
    { isRestarting: false, isResumed: true, state: 'queued', last: 'resumed_by_policy' },
    { isRestarting: false, isResumed: false, state: 'parked', last: 'machine_rebooted' },
  ])(
    'a restart of the machine: restart asked for $isRestarting, policy resumes $isResumed: $state, $last',
    async ({ isRestarting, isResumed, state, last }) => {
      const made = await open()
      const { db, ctx, machine, workload } = made
      const operation = { id: ctx.newId(), workloadId: workload.id, userId: ctx.person.id, at: ctx.now() }
      if (isRestarting) await beginOperation(db, ctx.tenantId, { ...operation, kind: 'restart' })
      const reason = because('machine_rebooted', { machine: machine.name })
      await execute(made.world, { kind: 'reboot', workload, isResumed, reason }, new AbortController().signal)
      expect([await made.state(), (await made.events()).at(-1)]).toEqual([state, last])
    },
  )

  it('tells the stages of one start in their order, each once, however old the facts of a pass were', async () => {
    const made = await open()
    const { db, ctx, machine, world } = made
    const workload = await seedPlaced(ctx, machine)
    const { placement } = workload
    if (!placement) throw new Error('it was placed')
    const nothing = { detail: null, done: null, total: null, unit: null }
    // Every pass read the row before the first stage was written.
    for (const stage of ['creating', 'starting', 'creating', 'starting'] as const) {
      const step = { progress: { ...nothing, stage }, reason: because('stage', { stage }) }
      await execute(world, { kind: 'progress', workload: { ...workload, placement }, ...step }, new AbortController().signal)
    }
    const events = await listEvents(db, ctx.tenantId, { workloadId: workload.id, limit: 100 })
    const told = events.flatMap(({ reason }) => (reason.code === 'stage' ? [reason.args.stage] : []))
    expect([told, (await workloadById(db, workload.id))?.progress?.stage]).toEqual([['creating', 'starting'], 'starting'])
  })

  it('tells once that a stop which was announced is called off, and why', async () => {
    const { db, ctx, workload, world, events } = await open()
    const settings = { ...NO_SETTINGS, idleMinutes: 60 }
    await saveSettings(db, ctx.tenantId, { id: workload.id, settings })
    const at = ctx.now()
    const announced = { id: workload.id, stopAt: new Date(at.getTime() + 600_000), stopWhy: 'idle' } as const
    await setPlannedStop(db, ctx.tenantId, announced)
    const seen = { ...workload, settings, ...announced, lastBusyAt: at }
    const [step] = plan(factsOf([{ ...factOf({}), workload: seen }], { now: at }))
    if (!step) throw new Error('a stop that nothing asks for any more is called off')
    for (let pass = 0; pass < 2; pass++) await execute(world, step, new AbortController().signal)
    expect((await events()).filter((code) => code === 'stop_called_off')).toHaveLength(1)
    expect(reasonText(step.reason)).toBe('does not park after all: something happens inside')
    expect((await workloadById(db, workload.id))?.stopAt).toBeNull()
  })
})
