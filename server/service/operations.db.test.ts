import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { State } from '@/domain/states'
import { createPlacement } from '@/server/store/system/placements'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import { toFailed, toLost, toParked, toRunning } from './controller-moves'
import type { Ctx } from './ctx'
import { deleteWorkload } from './deletion'
import { parkWorkload, recoverWorkload, renameWorkload, restartWorkload, resumeWorkload } from './operations'
import { createWorkload, getWorkload, listEvents } from './workloads'

const why = because('started', {})

eachProvider('operations', (get) => {
  async function running() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed)
    const placed = await seedPlaced(ctx, machine)
    const workload = await toRunning(get(), { workload: placed, reason: why, at: ctx.now(), hasWorkspace: true })
    return { seed, ctx, machine, workload }
  }
  async function parked() {
    const made = await running()
    const parking = await parkWorkload(made.ctx, made.workload.id)
    const workload = await toParked(get(), {
      workload: parking,
      reason: because('parked', {}),
      at: made.ctx.now(),
      hasWorkspace: true,
    })
    return { ...made, workload }
  }
  const operations = (id: string) =>
    get().operation.findMany({
      where: { workloadId: id },
      orderBy: { createdAt: 'asc' },
      select: { kind: true, outcome: true, openKey: true },
    })

  it('park: 30 at once are one operation, one event and the same answer', async () => {
    const { ctx, workload } = await running()
    const answers = await Promise.all(Array.from({ length: 30 }, () => parkWorkload(ctx, workload.id)))
    expect(answers.map((answer) => answer.state)).toEqual(answers.map(() => 'parking'))
    expect(await operations(workload.id)).toEqual([{ kind: 'park', outcome: null, openKey: workload.id }])
    const events = await listEvents(ctx, { id: workload.id })
    expect(events.filter((event) => event.to === 'parking')).toHaveLength(1)
  })

  it('park ends when the machine says so; the capacity is free and the next start is pinned to the files', async () => {
    const { workload, machine, ctx } = await parked()
    expect(workload).toMatchObject({ state: 'parked', placement: null, workspaceMachineId: machine.id })
    expect(await operations(workload.id)).toEqual([{ kind: 'park', outcome: 'done', openKey: null }])
    expect(await get().placement.count({ where: { workloadId: workload.id, releasedAt: null } })).toBe(0)
    expect((await parkWorkload(ctx, workload.id)).state).toBe('parked')
  })

  it('resume queues it again, pinned, and a duplicate joins', async () => {
    const { ctx, workload, machine } = await parked()
    const queued = await resumeWorkload(ctx, workload.id)
    expect(queued).toMatchObject({ state: 'queued', workspaceMachineId: machine.id, attempts: 0 })
    expect((await resumeWorkload(ctx, workload.id)).version).toBe(queued.version)
    expect((await operations(workload.id)).at(-1)).toEqual({ kind: 'resume', outcome: null, openKey: workload.id })
  })

  it('another operation is refused while one is in flight', async () => {
    const { ctx, workload } = await running()
    await parkWorkload(ctx, workload.id)
    await expect(resumeWorkload(ctx, workload.id)).rejects.toMatchObject({ code: 'operation_in_flight', args: { kind: 'park' } })
  })

  it('restart of a failed start gives its capacity back, ends what stands of it and keeps its files', async () => {
    const { ctx, workload } = await running()
    const failed = await toFailed(get(), { workload, reason: because('out_of_memory', {}), at: ctx.now(), exitCode: 137 })
    expect(failed).toMatchObject({ state: 'failed', exitCode: 137 })
    expect(failed.placement?.releasedAt).toBeNull()
    const queued = await restartWorkload(ctx, workload.id)
    expect(queued).toMatchObject({ state: 'queued', placement: null, exitCode: null })
    const old = await get().placement.findFirst({ where: { workloadId: workload.id } })
    expect(old).toMatchObject({ want: 'destroy', releasedWhy: 'restarted' })
  })

  it('recover starts a lost one again', async () => {
    const { ctx, workload, machine } = await running()
    await toLost(get(), {
      workload,
      reason: because('machine_lost_it', { machine: machine.name }),
      at: ctx.now(),
      hasWorkspace: true,
    })
    expect((await recoverWorkload(ctx, workload.id)).state).toBe('queued')
  })

  it.each([
    ['park', parkWorkload],
    ['resume', resumeWorkload],
    ['restart', restartWorkload],
    ['recover', recoverWorkload],
  ] as const)('%s is refused from a state that it does not lead from, and changes nothing', async (kind, operation) => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const workload = await createWorkload(ctx, createInput())
    await deleteWorkload(ctx, workload.id)
    await expect(operation(ctx, workload.id)).rejects.toMatchObject({
      code: 'wrong_state',
      args: { action: kind, state: 'canceled' },
    })
    expect((await getWorkload(ctx, workload.id)).version).toBe(workload.version + 1)
  })

  it('are refused to who may not, and hidden from who may not even look', async () => {
    const { seed, workload } = await running()
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const viewer = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'viewer') })
    const operator: Ctx = ctxFor(get(), await seedTenant(get()))
    for (const ctx of [member, viewer, operator])
      for (const operation of [parkWorkload, deleteWorkload])
        await expect(operation(ctx, workload.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('rename: the new name is unique too, the old one is free, and a line says who', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const one = await createWorkload(ctx, createInput({ name: 'one' }))
    await createWorkload(ctx, createInput({ name: 'two' }))
    await expect(renameWorkload(ctx, one.id, 'two')).rejects.toMatchObject({ code: 'name_taken' })
    await expect(renameWorkload(ctx, one.id, 'Not A Name')).rejects.toMatchObject({ code: 'invalid', args: { field: 'name' } })
    expect((await renameWorkload(ctx, one.id, 'three')).name).toBe('three')
    expect((await createWorkload(ctx, createInput({ name: 'one' }))).name).toBe('one')
    const last = (await listEvents(ctx, { id: one.id })).at(-1)
    expect(last).toMatchObject({ from: null, to: null, reason: { code: 'renamed_by_person', args: { name: 'three' } } })
    await deleteWorkload(ctx, one.id)
    await expect(renameWorkload(ctx, one.id, 'four')).rejects.toMatchObject({ code: 'wrong_state' })
  })

  it('delete is taken in every state, twice is once, and nothing is left that could hold its name', async () => {
    const states: readonly State[] = ['queued', 'provisioning', 'running', 'parking', 'parked', 'failed', 'lost']
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed)
    const at = ctx.now()
    const lead: Record<string, (id: string) => Promise<unknown>> = {
      provisioning: async () => undefined,
      running: async (id) => up(id),
      parking: async (id) => up(id).then(() => parkWorkload(ctx, id)),
      parked: async (id) => toParked(get(), { workload: await up(id), reason: because('parked', {}), at, hasWorkspace: true }),
      failed: async (id) => toFailed(get(), { workload: await getWorkload(ctx, id), reason: because('disk_full', {}), at }),
      lost: async (id) => toLost(get(), { workload: await up(id), reason: because('machine_lost_it', { machine: 'x' }), at }),
    }
    const up = async (id: string) =>
      toRunning(get(), { workload: await getWorkload(ctx, id), reason: why, at, hasWorkspace: true })
    for (const state of states) {
      const input = createInput({ name: `del-${state}` })
      const workload = state === 'queued' ? await createWorkload(ctx, input) : await seedPlaced(ctx, machine, input)
      await lead[state]?.(workload.id)
      expect((await getWorkload(ctx, workload.id)).state).toBe(state)
      const deleted = await deleteWorkload(ctx, workload.id)
      expect(deleted.state).toBe(state === 'queued' ? 'canceled' : 'removing')
      expect((await deleteWorkload(ctx, workload.id)).version).toBe(deleted.version)
      const open = await get().operation.count({ where: { workloadId: workload.id, openKey: { not: null } } })
      expect(open).toBe(state === 'queued' ? 0 : 1)
      if (state !== 'queued') expect(deleted.placement).toMatchObject({ want: 'remove', machineId: machine.id })
    }
  })

  it('delete takes the place of an operation in flight', async () => {
    const { ctx, workload } = await running()
    await parkWorkload(ctx, workload.id)
    await deleteWorkload(ctx, workload.id)
    expect(await operations(workload.id)).toEqual([
      { kind: 'park', outcome: 'replaced', openKey: null },
      { kind: 'delete', outcome: null, openKey: workload.id },
    ])
  })

  it('delete with the machine away removes it at once, frees the name, and goes on telling the machine', async () => {
    const { ctx, workload, machine } = await running()
    await get().machineContact.update({ where: { machineId: machine.id }, data: { controllerId: null } })
    const removed = await deleteWorkload(ctx, workload.id)
    expect(removed).toMatchObject({
      state: 'removed',
      placement: null,
      reason: { code: 'removed_later', args: { machine: machine.name } },
    })
    expect((await createWorkload(ctx, createInput({ name: workload.name }))).name).toBe(workload.name)
    const row = await get().placement.findFirst({ where: { workloadId: workload.id } })
    expect(row).toMatchObject({ want: 'remove', ackedWant: null })
    expect(row?.releasedAt).not.toBeNull()
  })

  it('X31: delete with a connected machine is left to it, however far the clock was set meanwhile', async () => {
    const { ctx, workload } = await running()
    const now = () => new Date(ctx.now().getTime() + 86_400_000)
    expect((await deleteWorkload({ ...ctx, now }, workload.id)).state).toBe('removing')
  })

  it('X48, X49: 40 mixed deletes and parks at once leave one delete in flight and a timeline without a gap', async () => {
    const { ctx, workload } = await running()
    const mixed = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? parkWorkload(ctx, workload.id) : deleteWorkload(ctx, workload.id),
    )
    await Promise.allSettled(mixed)
    expect((await getWorkload(ctx, workload.id)).state).toBe('removing')
    expect((await operations(workload.id)).filter((o) => o.openKey !== null)).toEqual([
      { kind: 'delete', outcome: null, openKey: workload.id },
    ])
    const seqs = (await listEvents(ctx, { id: workload.id })).map((event) => event.seq)
    expect(seqs).toEqual(seqs.map((_, i) => i + 1))
  })

  it('a second start of the same generation is refused by the database itself', async () => {
    const { workload, machine, ctx } = await running()
    const same = { ...workload, workloadGen: workload.workloadGen - 1 }
    const placement = { id: ctx.newId(), workload: same, machineId: machine.id, driver: 'sim' as const, placedClass: null }
    await expect(createPlacement(get(), { ...placement, devices: [], epoch: 1, at: ctx.now() })).rejects.toMatchObject({
      code: 'P2002',
    })
  })
})
