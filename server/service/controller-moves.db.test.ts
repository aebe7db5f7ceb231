import { expect, it } from 'vitest'
import type { Machine } from '@/domain/machines'
import { because } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { candidate } from '@/server/store/system/machines'
import { ackWants, desiredOn } from '@/server/store/system/placements'
import { CATALOG } from '@/testing/candidates'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, placementLease, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import {
  endLook,
  placeWorkload,
  takeBack,
  toFailed,
  toFailedReleased,
  toLost,
  toParked,
  toPaused,
  toQueuedAgain,
  toRemoved,
  toRunning,
} from './controller-moves'
import type { Ctx } from './ctx'
import { deleteWorkload } from './deletion'
import { parkWorkload, resumeWorkload } from './operations'
import { createWorkload, getWorkload, listEvents } from './workloads'

const started = because('started', {})

eachProvider('placing', (get) => {
  const open = async () => {
    const seed = await seedTenant(get())
    return { seed, ctx: ctxFor(get(), seed), machine: await seedMachine(get(), seed) }
  }
  const request = async (ctx: Ctx, workload: Workload, machine: Machine) => ({
    workload,
    machineId: machine.id,
    catalog: CATALOG,
    epoch: (await placementLease(get())).epoch,
    placementId: ctx.newId(),
    at: ctx.now(),
  })
  const used = async (machine: Machine) => (await candidate(get(), machine.id))?.use.cpus

  it('makes the placement row, the next generation and the state in one step', async () => {
    const { ctx, machine } = await open()
    const placed = await seedPlaced(ctx, machine)
    expect(placed).toMatchObject({
      state: 'provisioning',
      workloadGen: 1,
      reason: { code: 'placed', args: { machine: machine.name } },
    })
    expect(placed.placement).toMatchObject({
      machineId: machine.id,
      driver: 'process-sandboxed',
      want: 'run',
      cpus: 1,
      releasedAt: null,
    })
    expect(await used(machine)).toBe(1)
  })

  it('never gives out more than the machine has, when 30 are placed at once', async () => {
    const { ctx, machine } = await open()
    const workloads = await Promise.all(Array.from({ length: 30 }, () => createWorkload(ctx, createInput())))
    const requests = await Promise.all(workloads.map((workload) => request(ctx, workload, machine)))
    const placed = await Promise.all(requests.map((r) => placeWorkload(get(), r)))
    expect(placed.filter((workload) => workload !== null)).toHaveLength(8)
    expect(await used(machine)).toBe(8)
  })

  it('places one workload once, when 20 try at once', async () => {
    const { ctx, machine } = await open()
    const workload = await createWorkload(ctx, createInput())
    const requests = await Promise.all(Array.from({ length: 20 }, () => request(ctx, workload, machine)))
    await Promise.allSettled(requests.map((r) => placeWorkload(get(), r)))
    expect(await get().placement.count({ where: { workloadId: workload.id } })).toBe(1)
    expect((await getWorkload(ctx, workload.id)).workloadGen).toBe(1)
  })

  it('refuses what does not fit any more and what is not allowed there', async () => {
    const { ctx, machine } = await open()
    const large = await createWorkload(ctx, createInput({ spec: { cpus: 9 } }))
    expect(await placeWorkload(get(), await request(ctx, large, machine))).toBeNull()
    const stranger = ctxFor(get(), await seedTenant(get()))
    const foreign = await createWorkload(stranger, createInput())
    expect(await placeWorkload(get(), await request(stranger, foreign, machine))).toBeNull()
    expect((await getWorkload(ctx, large.id)).state).toBe('queued')
    expect(await used(machine)).toBe(0)
  })

  it('a capacity refusal frees the capacity, counts the attempt and ends what may be there', async () => {
    const { ctx, machine } = await open()
    const workload = await seedPlaced(ctx, machine)
    const reason = because('retry_capacity', { machine: machine.name, attempt: 1 })
    const nextTryAt = new Date(ctx.now().getTime() + 2000)
    const queued = await toQueuedAgain(get(), { workload, reason, at: ctx.now(), nextTryAt })
    expect(queued).toMatchObject({ state: 'queued', attempts: 1, placement: null, nextTryAt, workloadGen: 1 })
    expect(await used(machine)).toBe(0)
    expect(await desiredOn(get(), machine.id, CATALOG)).toMatchObject([{ placementId: workload.placement?.id, want: 'destroy' }])
  })

  it('I8: a machine that acts for an older placement changes nothing', async () => {
    const { ctx, machine } = await open()
    const first = await seedPlaced(ctx, machine)
    const reason = because('retry_vanished', { machine: machine.name, attempt: 1 })
    const queued = await toQueuedAgain(get(), { workload: first, reason, at: ctx.now(), nextTryAt: null })
    const second = await placeWorkload(get(), await request(ctx, queued, machine))
    expect(second).toMatchObject({ state: 'provisioning', workloadGen: 2 })
    await expect(toRunning(get(), { workload: first, reason: started, at: ctx.now() })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await getWorkload(ctx, first.id)).placement?.id).toBe(second?.placement?.id)
    expect(await used(machine)).toBe(1)
  })

  it('a failed start keeps its capacity for a look, until the look ends', async () => {
    const { ctx, machine } = await open()
    const workload = await seedPlaced(ctx, machine)
    const failed = await toFailed(get(), { workload, reason: because('disk_full', {}), at: ctx.now() })
    expect(await used(machine)).toBe(1)
    await endLook(get(), { workload: failed, reason: because('look_ended', { minutes: 15 }), at: ctx.now() })
    await endLook(get(), { workload: failed, reason: because('look_ended', { minutes: 15 }), at: ctx.now() })
    expect(await getWorkload(ctx, workload.id)).toMatchObject({ state: 'failed', placement: null, version: failed.version })
    expect(await used(machine)).toBe(0)
    const events = await listEvents(ctx, { id: workload.id })
    expect(events.map((event) => event.reason.code)).toEqual(['created', 'placed', 'disk_full', 'look_ended'])
  })

  it('a start that is given up leaves no capacity behind', async () => {
    const { ctx, machine } = await open()
    const workload = await seedPlaced(ctx, machine)
    await toFailedReleased(get(), { workload, reason: because('attempts_spent', { attempts: 3 }), at: ctx.now() })
    expect(await used(machine)).toBe(0)
  })

  it('paused and running follow the machine and keep the placement', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    const running = await toRunning(get(), { workload: await seedPlaced(ctx, machine), reason: started, at })
    const paused = await toPaused(get(), { workload: running, reason: because('frozen', {}), at })
    expect(paused).toMatchObject({ state: 'paused', placement: { id: running.placement?.id } })
    expect((await toRunning(get(), { workload: paused, reason: because('thawed', {}), at })).state).toBe('running')
    expect(await used(machine)).toBe(1)
  })

  it('a lost one gives its capacity back, and takes it back when the machine lists it after all and has room', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    const running = await toRunning(get(), { workload: await seedPlaced(ctx, machine), reason: started, at })
    const lost = await toLost(get(), { workload: running, reason: because('machine_lost_it', { machine: machine.name }), at })
    expect(await used(machine)).toBe(0)
    const back = await takeBack(get(), { workload: lost, reason: because('came_back', { machine: machine.name }), at })
    expect(back).toMatchObject({ state: 'running', workloadGen: 1, placement: { id: running.placement?.id, releasedAt: null } })
    expect(await used(machine)).toBe(1)
  })

  it('a lost one whose room went to others is not taken back; that is told once, and shown, until there is room', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    const placed = await seedPlaced(ctx, machine, createInput({ spec: { cpus: 4 } }))
    const running = await toRunning(get(), { workload: placed, reason: started, at })
    const lost = await toLost(get(), { workload: running, reason: because('machine_lost_it', { machine: machine.name }), at })
    const other = await seedPlaced(ctx, machine, createInput({ spec: { cpus: 6 } }))
    const tryAgain = () => takeBack(get(), { workload: lost, reason: because('came_back', { machine: machine.name }), at })
    for (let n = 0; n < 3; n++) expect(await tryAgain()).toBeNull()
    const reason = because('came_back_no_room', { machine: machine.name })
    expect(await getWorkload(ctx, lost.id)).toMatchObject({ state: 'lost', reason })
    const told = (await listEvents(ctx, { id: lost.id })).filter((e) => e.reason.code === reason.code)
    expect(told).toHaveLength(1)
    await toFailedReleased(get(), { workload: other, reason: because('no_python', {}), at })
    expect(await tryAgain()).toMatchObject({ state: 'running', reason: { code: 'came_back' } })
  })

  it('taking one back and placing another at once never give out the same room', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    for (let round = 0; round < 8; round++) {
      const placed = await seedPlaced(ctx, machine, createInput({ spec: { cpus: 8 } }))
      const running = await toRunning(get(), { workload: placed, reason: started, at })
      const lost = await toLost(get(), { workload: running, reason: because('machine_lost_it', { machine: 'x' }), at })
      const next = await createWorkload(ctx, createInput({ spec: { cpus: 8 } }))
      const asked = await request(ctx, next, machine)
      const both = await Promise.all([
        takeBack(get(), { workload: lost, reason: because('came_back', { machine: 'x' }), at }),
        placeWorkload(get(), asked),
      ])
      const [winner, ...others] = both.filter((workload) => workload !== null)
      expect(others).toEqual([])
      expect(await used(machine)).toBe(8)
      if (winner) await toLost(get(), { workload: winner, reason: because('machine_lost_it', { machine: 'x' }), at })
    }
  })

  it('a removal forgets pin and files; its row asks the machine until the machine is done', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    const running = await toRunning(get(), { workload: await seedPlaced(ctx, machine), reason: started, at, hasWorkspace: true })
    const removing = await deleteWorkload(ctx, running.id)
    expect(removing).toMatchObject({ state: 'removing', placement: { want: 'remove' } })
    const removed = await toRemoved(get(), {
      workload: removing,
      reason: because('removed_later', { machine: machine.name }),
      at,
    })
    expect(removed).toMatchObject({ state: 'removed', placement: null, workspaceMachineId: null })
    const ack = { placementId: running.placement?.id ?? '', want: 'remove' as const }
    await ackWants(get(), { machineId: machine.id, acks: [{ ...ack, isDone: false }], at })
    expect(await desiredOn(get(), machine.id, CATALOG)).toHaveLength(1)
    await ackWants(get(), { machineId: machine.id, acks: [{ ...ack, isDone: true }], at })
    expect(await desiredOn(get(), machine.id, CATALOG)).toEqual([])
  })

  it('a parked one is removed through its last placement', async () => {
    const { ctx, machine } = await open()
    const at = ctx.now()
    const running = await toRunning(get(), { workload: await seedPlaced(ctx, machine), reason: started, at, hasWorkspace: true })
    const parking = await parkWorkload(ctx, running.id)
    await toParked(get(), { workload: parking, reason: because('parked', {}), at, hasWorkspace: true })
    expect(await desiredOn(get(), machine.id, CATALOG)).toEqual([])
    const removing = await deleteWorkload(ctx, running.id)
    expect(removing.placement).toMatchObject({ id: running.placement?.id, want: 'remove' })
    expect(await desiredOn(get(), machine.id, CATALOG)).toMatchObject([{ want: 'remove', ackedWant: null }])
    expect(await used(machine)).toBe(0)
  })

  it('the first start makes the workspace, every later one needs it', async () => {
    const clock = new TestClock()
    const { seed, machine } = await open()
    const ctx = ctxFor(get(), seed, { clock })
    const placed = await seedPlaced(ctx, machine)
    expect(await desiredOn(get(), machine.id, CATALOG)).toMatchObject([
      { needsWorkspace: false, runtime: 'shell', driver: 'process-sandboxed' },
    ])
    clock.advance(1000)
    const running = await toRunning(get(), { workload: placed, reason: started, at: ctx.now(), hasWorkspace: true })
    expect(await desiredOn(get(), machine.id, CATALOG)).toMatchObject([{ needsWorkspace: false }])
    const parking = await parkWorkload(ctx, running.id)
    await toParked(get(), { workload: parking, reason: because('parked', {}), at: ctx.now(), hasWorkspace: true })
    clock.advance(1000)
    const queued = await resumeWorkload(ctx, running.id)
    await placeWorkload(get(), await request(ctx, queued, machine))
    expect(await desiredOn(get(), machine.id, CATALOG)).toMatchObject([{ needsWorkspace: true, workloadGen: 2 }])
  })
})
