import { expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { because, reasonText } from '@/domain/reasons'
import { NO_SETTINGS } from '@/domain/workloads'
import { createLog } from '@/kit/log'
import { keepWorkload, setSettings } from '@/server/service/settings'
import { listEvents } from '@/server/store/events'
import { beginOperation } from '@/server/store/operations'
import { saveSettings, setPlannedStop } from '@/server/store/settings'
import { saveActivity } from '@/server/store/system/activity'
import { workloadById } from '@/server/store/system/workloads'
import { touchOpened } from '@/server/store/workloads'
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
    await saveActivity(db, [{ workloadId: workload.id, lastBusyAt: at }])
    const seen = { ...workload, settings, ...announced, lastBusyAt: at }
    const [step] = plan(factsOf([{ ...factOf({}), workload: seen }], { now: at }))
    if (!step) throw new Error('a stop that nothing asks for any more is called off')
    for (let pass = 0; pass < 2; pass++) await execute(world, step, new AbortController().signal)
    expect((await events()).filter((code) => code === 'stop_called_off')).toHaveLength(1)
    expect(reasonText(step.reason)).toBe('does not park after all: something happens inside')
    expect((await workloadById(db, workload.id))?.stopAt).toBeNull()
  })

  it('parks or announces nothing by itself that was kept, opened, busy or set otherwise since its facts were read', async () => {
    const { db, ctx, workload, world, events, state } = await open()
    const { id } = workload
    const settings = { ...NO_SETTINGS, idleMinutes: 60 }
    const stopAt = new Date(ctx.now().getTime() + 60_000)
    const meanwhile: (() => Promise<unknown>)[] = [
      () => keepWorkload(ctx, id),
      () => touchOpened(db, ctx.tenantId, { id, at: ctx.now() }),
      () => saveActivity(db, [{ workloadId: id, lastBusyAt: stopAt }]),
      () => setSettings(ctx, id, { ...settings, idleMinutes: null }),
    ]
    for (const happens of meanwhile) {
      await saveSettings(db, ctx.tenantId, { id, settings })
      await setPlannedStop(db, ctx.tenantId, { id, stopAt, stopWhy: 'idle' })
      await db.workload.update({ where: { id }, data: { lastBusyAt: null, lastOpenedAt: null } })
      const facts = await workloadById(db, id)
      if (!facts) throw new Error('it is there')
      await happens()
      const before = await events()
      const never = new AbortController().signal
      await execute(world, { kind: 'park_for', workload: facts, reason: because('parked_idle', { minutes: 60 }) }, never)
      const planned = {
        stopAt,
        stopWhy: 'idle',
        isTold: true,
        reason: because('stop_soon', { minutes: 1, why: 'idle' }),
      } as const
      await execute(world, { kind: 'plan_stop', workload: facts, ...planned }, never)
      expect([await state(), await events()]).toEqual(['running', before])
    }
  })
})
