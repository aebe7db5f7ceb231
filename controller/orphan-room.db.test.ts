import { expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { placeWorkload } from '@/server/service/controller-moves'
import { whyWaiting } from '@/server/service/why'
import { createWorkload } from '@/server/service/workloads'
import { saveOrphans } from '@/server/store/system/orphans'
import { CATALOG, GIB } from '@/testing/candidates'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, placementLease, seedMachine, seedTenant } from '@/testing/seed'
import { gatherFacts } from './facts'
import { PassMemory } from './pass-memory'
import { plan } from './plan'

eachProvider('X36: what runs and the store does not know', (get) => {
  it('takes its room once: for the plan, for the look at the last moment, and for who asks why', async () => {
    const db = get()
    const seed = await seedTenant(db)
    const ctx = ctxFor(db, seed)
    const machine = await seedMachine(db, seed)
    const workload = await createWorkload(ctx, createInput({ spec: { cpus: 4 } }))
    const { epoch } = await placementLease(db)
    const orphanOf = (cpus: number) => {
      const { runtime, memoryBytes, diskBytes, command, requirements, mounts, python } = createInput().spec
      const spec = { runtime, cpus, memoryBytes, diskBytes, command, requirements, mounts, python, devices: [] }
      const whole = { ...spec, tenantId: ctx.tenantId, ownerId: seed.owner.id, kind: 'session' as const, driver: 'sim' as const }
      const instance = { workloadId: ctx.newId(), placementId: ctx.newId(), workloadGen: 1 }
      return { instance, spec: whole, status: 'running' }
    }
    const planned = async () => {
      const from = { db, backend: new FakeBackend(async () => null), catalog: CATALOG, now: ctx.now(), memory: new PassMemory() }
      const facts = await gatherFacts(from, new AbortController().signal)
      const own = facts.candidates.find((c) => c.machine.id === machine.id)
      const steps = plan(facts).filter((s) => s.kind !== 'end' && s.kind !== 'freeze' && s.workload.id === workload.id)
      return { kinds: steps.map((s) => s.kind), used: own?.use }
    }

    await saveOrphans(db, { machineId: machine.id, at: ctx.now() }, [orphanOf(3), orphanOf(2)])
    expect(await planned()).toMatchObject({ kinds: ['wait'], used: { cpus: 5, memoryBytes: 2 * GIB, diskBytes: 2 * GIB } })
    expect(await whyWaiting(ctx, workload.id)).toMatchObject({ chosen: null, machines: [{ droppedBy: 'cpu' }] })
    const placement = { workload, machineId: machine.id, catalog: CATALOG, epoch, placementId: ctx.newId(), at: ctx.now() }
    expect(await placeWorkload(db, placement)).toBeNull()

    await saveOrphans(db, { machineId: machine.id, at: ctx.now() }, [orphanOf(4)])
    expect(await planned()).toMatchObject({ kinds: ['place'], used: { cpus: 4 } })
    expect((await whyWaiting(ctx, workload.id)).chosen).toMatchObject({ machineId: machine.id })
    expect(await placeWorkload(db, placement)).toMatchObject({ state: 'provisioning' })
  })
})
