import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { saveOrphans } from '@/server/store/system/orphans'
import { desiredOn } from '@/server/store/system/placements'
import { ensureInstallation, setQuarantine } from '@/server/store/system/setup'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedRunning, seedTenant } from '@/testing/seed'
import { toLost, toRunning } from './controller-moves'
import type { Ctx } from './ctx'
import { deleteWorkload } from './deletion'
import { getMachine } from './machines'
import { parkWorkload } from './operations'
import { adoptOrphan, stopOrphan } from './orphans'
import { isQuarantined, leaveQuarantine } from './quarantine'
import { getWorkload, listEvents } from './workloads'

eachProvider('orphans', (get) => {
  async function open() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    return { seed, ctx, machine: await seedMachine(get(), seed) }
  }
  /** The machine tells of an instance: of a workload that the store knows, or of one that it never heard of. */
  async function tell(ctx: Ctx, machineId: string, told: { workloadId?: string; workloadGen?: number; ownerId?: string } = {}) {
    const { workloadId = ctx.newId(), workloadGen = 7, ownerId = ctx.person.id } = told
    const instance = { workloadId, placementId: ctx.newId(), workloadGen }
    const { runtime, cpus, memoryBytes, diskBytes, command, requirements, mounts, python } = createInput().spec
    const asked = { runtime, cpus, memoryBytes, diskBytes, command, requirements, mounts, python, devices: [] }
    const spec = { ...asked, tenantId: ctx.tenantId, ownerId, kind: 'session' as const, driver: 'process-sandboxed' as const }
    await saveOrphans(get(), { machineId, at: ctx.now() }, [{ instance, spec, status: 'running' }])
    return { instance, ask: { machineId, placementId: instance.placementId } }
  }

  it('X61: one that the store never knew becomes a workload with that placement and number, and runs when its machine says so', async () => {
    const { ctx, machine } = await open()
    const { instance, ask } = await tell(ctx, machine.id)
    expect((await getMachine(ctx, machine.id)).orphans).toMatchObject([{ ...instance, kind: 'session', name: null }])
    const adopted = await adoptOrphan(ctx, ask)
    expect(adopted).toMatchObject({
      id: instance.workloadId,
      state: 'provisioning',
      workloadGen: 7,
      workspaceMachineId: machine.id,
    })
    expect(adopted.placement).toMatchObject({
      id: instance.placementId,
      workloadGen: 7,
      driver: 'process-sandboxed',
      want: 'run',
    })
    expect((await desiredOn(get(), machine.id, ctx.catalog)).map((d) => d.placementId)).toEqual([instance.placementId])
    const running = await toRunning(get(), { workload: adopted, reason: because('started', {}), at: ctx.now() })
    expect(running.state).toBe('running')
    expect((await getMachine(ctx, machine.id)).orphans).toEqual([])
    expect((await listEvents(ctx, { id: running.id })).map((e) => e.to)).toEqual(['queued', 'provisioning', 'running'])
    await expect(adoptOrphan(ctx, ask)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a newer start of a known workload takes the place of the one that the restored database remembers', async () => {
    const { ctx, machine } = await open()
    const before = await seedRunning(ctx, machine)
    await parkWorkload(ctx, before.id)
    const { instance, ask } = await tell(ctx, machine.id, { workloadId: before.id, workloadGen: 3 })
    expect((await getMachine(ctx, machine.id)).orphans).toMatchObject([{ name: before.name, kind: 'session' }])
    const adopted = await adoptOrphan(ctx, ask)
    expect(adopted).toMatchObject({
      state: 'provisioning',
      name: before.name,
      workloadGen: 3,
      placement: { id: instance.placementId },
    })
    const held = await get().placement.findMany({ where: { workloadId: before.id, releasedAt: null } })
    expect(held.map((row) => row.id)).toEqual([instance.placementId])
    expect(await get().operation.count({ where: { openKey: before.id } })).toBe(0)
  })

  it('what cannot be adopted says why and stays an orphan: removed, newer in the store, of nobody here', async () => {
    const { ctx, machine } = await open()
    const removed = await seedRunning(ctx, machine)
    await deleteWorkload(ctx, removed.id)
    const up = await seedRunning(ctx, machine)
    const lost = await seedRunning(ctx, machine)
    await toLost(get(), { workload: lost, reason: because('machine_lost_it', { machine: machine.name }), at: ctx.now() })
    for (const told of [
      { workloadId: removed.id },
      { workloadId: up.id, workloadGen: 1 },
      { workloadId: lost.id, workloadGen: 1 },
      { ownerId: ctx.newId() },
    ]) {
      const { ask } = await tell(ctx, machine.id, told)
      await expect(adoptOrphan(ctx, ask)).rejects.toMatchObject({ code: 'conflict' })
      expect((await getMachine(ctx, machine.id)).orphans).toMatchObject([{ placementId: ask.placementId, decision: null }])
    }
    expect((await getWorkload(ctx, up.id)).version).toBe(up.version)
  })

  it('are decided by the machine’s owner or an operator; others of the tenant do not even see them', async () => {
    const { ctx, seed, machine } = await open()
    const { ask } = await tell(ctx, machine.id)
    const admin = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'admin') })
    const other = ctxFor(get(), await seedTenant(get()))
    for (const decide of [adoptOrphan, stopOrphan]) {
      await expect(decide(admin, ask)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(decide(other, ask)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await getMachine(admin, machine.id)).orphans).toEqual([])
    await stopOrphan(ctx, ask)
    expect((await getMachine(ctx, machine.id)).orphans).toMatchObject([{ decision: 'stop' }])
  })

  it('quarantine is ended by an operator alone, once', async () => {
    const { ctx } = await open()
    await ensureInstallation(get(), { id: ctx.newId(), at: ctx.now() })
    await setQuarantine(get(), true)
    await expect(leaveQuarantine(ctx)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await isQuarantined(ctx)).toBe(true)
    const operator = { ...ctx, person: { ...ctx.person, isOperator: true } }
    await leaveQuarantine(operator)
    await leaveQuarantine(operator)
    expect(await isQuarantined(ctx)).toBe(false)
  })
})
