import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { saveInventory } from '@/server/store/system/machines'
import { saveExitCode } from '@/server/store/system/observing'
import { openRestart } from '@/server/store/system/operations'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedRunning, seedTenant } from '@/testing/seed'
import { toParked, toPaused, toRunning } from './controller-moves'
import { deleteWorkload } from './deletion'
import { parkWorkload, pauseWorkload, restartWorkload, resumeWorkload } from './operations'
import { getWorkload, listEvents } from './workloads'

eachProvider('pause and restart', (get) => {
  async function running() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed)
    return { ctx, machine, workload: await seedRunning(ctx, machine) }
  }
  const settle = (workload: Parameters<typeof toPaused>[1]['workload'], code: 'frozen' | 'thawed' | 'parked') => ({
    workload,
    reason: because(code, {}),
    at: new Date(),
    hasWorkspace: true,
  })
  const outcomes = async (workloadId: string) => {
    const rows = await get().operation.findMany({ where: { workloadId }, orderBy: { createdAt: 'asc' } })
    return rows.map((row) => `${row.kind} ${row.outcome}`)
  }

  it('pause asks the machine once; the state follows its word, and so does going on', async () => {
    const { ctx, workload } = await running()
    const { id } = workload
    const asked = await Promise.all(Array.from({ length: 10 }, () => pauseWorkload(ctx, id)))
    expect(asked.map((one) => [one.state, one.placement?.want])).toEqual(asked.map(() => ['running', 'pause']))
    const paused = await toPaused(get(), settle(await getWorkload(ctx, id), 'frozen'))
    expect((await pauseWorkload(ctx, id)).version).toBe(paused.version)
    expect(await outcomes(id)).toEqual(['pause done'])
    expect(await resumeWorkload(ctx, id)).toMatchObject({ state: 'paused', placement: { want: 'run' } })
    await toRunning(get(), settle(await getWorkload(ctx, id), 'thawed'))
    expect(await outcomes(id)).toEqual(['pause done', 'resume done'])
    const codes = (await listEvents(ctx, { id })).map((event) => event.reason.code)
    expect(codes.slice(3)).toEqual(['paused_by_person', 'frozen', 'resumed_by_person', 'thawed'])
  })

  it('a pause that no machine confirmed is taken back by resume, and gives way to park and delete', async () => {
    const { ctx, machine, workload } = await running()
    await pauseWorkload(ctx, workload.id)
    expect(await resumeWorkload(ctx, workload.id)).toMatchObject({ state: 'running', placement: { want: 'run' } })
    await pauseWorkload(ctx, workload.id)
    expect((await parkWorkload(ctx, workload.id)).state).toBe('parking')
    expect((await outcomes(workload.id)).toSorted()).toEqual(['park null', 'pause replaced', 'pause replaced', 'resume done'])
    const other = await seedRunning(ctx, machine)
    await pauseWorkload(ctx, other.id)
    expect((await deleteWorkload(ctx, other.id)).state).toBe('removing')
  })

  it('a machine that cannot freeze is named before anything is asked', async () => {
    const { ctx, machine, workload } = await running()
    const { inventory, id: machineId, machineGen } = machine
    if (!inventory) throw new Error('it has an inventory')
    const drivers = inventory.drivers.map((offer) => ({ ...offer, canPause: false }))
    await saveInventory(get(), { machineId, machineGen, inventory: { ...inventory, drivers } })
    await expect(pauseWorkload(ctx, workload.id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await outcomes(workload.id)).toEqual([])
  })

  it('restart of an ended program is one operation over stop and start', async () => {
    const { ctx, workload } = await running()
    const { id } = workload
    expect((await restartWorkload(ctx, id)).version).toBe(workload.version)
    await saveExitCode(get(), { workloadId: id, placementId: workload.placement?.id ?? '', exitCode: 0 })
    const stopping = await restartWorkload(ctx, id)
    expect(stopping.state).toBe('parking')
    expect((await restartWorkload(ctx, id)).version).toBe(stopping.version)
    await expect(parkWorkload(ctx, id)).rejects.toMatchObject({ code: 'operation_in_flight', args: { kind: 'restart' } })
    expect(await openRestart(get(), id)).toBe(true)
    const again = await toParked(get(), settle(stopping, 'parked'))
    expect(again).toMatchObject({ state: 'queued', placement: null, exitCode: null, reason: { code: 'restart_goes_on' } })
    expect(await outcomes(id)).toEqual(['restart null'])
    expect((await listEvents(ctx, { id })).map((event) => event.to).slice(-3)).toEqual(['parking', 'parked', 'queued'])
  })
})
