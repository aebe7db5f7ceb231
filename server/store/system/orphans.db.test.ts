import { expect, it } from 'vitest'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { beginOperation, endOperation } from '../operations'
import { openRestart } from './operations'
import { decideOrphan, findOrphan, orphanDecisions, orphansOn, saveOrphans } from './orphans'
import { ackWants, desiredOn } from './placements'
import { ensureInstallation, isQuarantined, setQuarantine } from './setup'
import { workloadById } from './workloads'

eachProvider('orphans and quarantine', (get) => {
  const start = async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    return { clock, ctx, seed, machine: await seedMachine(get(), seed), at: clock.now() }
  }

  it('a machine’s unknown instances are kept until it has them no more, with what was decided', async () => {
    const { ctx, seed, clock, machine, at } = await start()
    const instances = [1, 2].map((workloadGen) => ({ workloadId: ctx.newId(), placementId: ctx.newId(), workloadGen }))
    const [first, second] = instances
    if (!first || !second) throw new Error('two instances')
    const { runtime, cpus, memoryBytes, diskBytes, command, requirements, mounts, python } = createInput().spec
    const spec = { runtime, cpus, memoryBytes, diskBytes, command, requirements, mounts, python, devices: [] }
    const whole = { ...spec, tenantId: ctx.tenantId, ownerId: seed.owner.id, kind: 'session' as const, driver: 'sim' as const }
    const seen = [
      { instance: first, spec: whole, status: 'running' },
      { instance: second, spec: null, status: 'running' },
    ]
    await saveOrphans(get(), { machineId: machine.id, at }, seen)
    expect(await orphanDecisions(get(), machine.id)).toEqual([])
    const { placementId } = first
    expect(await decideOrphan(get(), { machineId: ctx.newId(), placementId, decision: 'stop' })).toBe(false)
    expect(await decideOrphan(get(), { machineId: machine.id, placementId, decision: 'stop' })).toBe(true)
    await saveOrphans(
      get(),
      { machineId: machine.id, at: clock.advance(5000) },
      seen.map((one) => ({ ...one, status: 'paused' })),
    )
    expect(await orphanDecisions(get(), machine.id)).toMatchObject([
      { instance: first, spec: whole, status: 'paused', decision: 'stop', firstSeenAt: at, lastSeenAt: clock.now() },
    ])
    await saveOrphans(get(), { machineId: machine.id, at: clock.advance(5000) }, seen.slice(1))
    expect(await orphansOn(get(), [machine.id])).toMatchObject([{ instance: second, spec: null, decision: null }])
    await saveOrphans(get(), { machineId: machine.id, at: clock.now() }, [])
    expect(await orphansOn(get(), [machine.id])).toEqual([])
  })

  it('what was adopted since its machine told of it is no orphan any more', async () => {
    const { ctx, machine, at } = await start()
    const { id: workloadId, placement } = await seedPlaced(ctx, machine)
    const instance = { workloadId, placementId: placement?.id ?? '', workloadGen: 1 }
    await saveOrphans(get(), { machineId: machine.id, at }, [{ instance, spec: null, status: 'running' }])
    expect(await orphansOn(get(), [machine.id])).toEqual([])
  })

  it('a machine cannot take over another one’s orphan', async () => {
    const { ctx, seed, machine, at } = await start()
    const liar = await seedMachine(get(), seed)
    const instance = { workloadId: ctx.newId(), placementId: ctx.newId(), workloadGen: 1 }
    await saveOrphans(get(), { machineId: machine.id, at }, [{ instance, spec: null, status: 'running' }])
    await saveOrphans(get(), { machineId: liar.id, at }, [{ instance, spec: null, status: 'stopped' }])
    await saveOrphans(get(), { machineId: liar.id, at }, [])
    const of = { machineId: machine.id, placementId: instance.placementId }
    expect(await findOrphan(get(), of)).toMatchObject({ status: 'running' })
  })

  it('an acknowledged start keeps the boot of its machine; other answers do not', async () => {
    const { ctx, machine, at } = await start()
    const { id, placement } = await seedPlaced(ctx, machine)
    const placementId = placement?.id ?? ''
    const ack = (want: 'run' | 'pause', bootId?: string) =>
      ackWants(get(), { machineId: machine.id, acks: [{ placementId, want, isDone: true }], bootId, at })
    const bootId = async () => (await workloadById(get(), id))?.placement?.bootId
    await ack('pause', 'wrong')
    expect(await bootId()).toBeNull()
    await ack('run', 'boot-1')
    expect(await bootId()).toBe('boot-1')
    expect((await desiredOn(get(), machine.id, ctx.catalog))[0]?.ackedWant).toBe('run')
    await ack('run', 'boot-2')
    expect(await bootId()).toBe('boot-1')
  })

  it('a restart is open from its beginning to its end; a park is none', async () => {
    const { ctx, machine, at } = await start()
    const { id: workloadId } = await seedPlaced(ctx, machine)
    const begin = (kind: 'park' | 'restart') =>
      beginOperation(get(), ctx.tenantId, { id: ctx.newId(), workloadId, kind, userId: ctx.person.id, at })
    const end = () => endOperation(get(), ctx.tenantId, { workloadId, kinds: ['park', 'restart'], outcome: 'done', at })
    await begin('park')
    expect(await openRestart(get(), workloadId)).toBe(false)
    await end()
    await begin('restart')
    expect(await openRestart(get(), workloadId)).toBe(true)
    await end()
    expect(await openRestart(get(), workloadId)).toBe(false)
  })

  it('quarantine begins and ends once each', async () => {
    const { ctx, at } = await start()
    await ensureInstallation(get(), { id: ctx.newId(), at })
    expect(await isQuarantined(get())).toBe(false)
    expect([await setQuarantine(get(), true), await setQuarantine(get(), true)]).toEqual([true, false])
    expect(await isQuarantined(get())).toBe(true)
    expect([await setQuarantine(get(), false), await isQuarantined(get())]).toEqual([true, false])
  })
})
