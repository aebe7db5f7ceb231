import { expect, it } from 'vitest'
import { acquireLease, PLACEMENT_LEASE } from '@/server/store/system/leases'
import { CATALOG } from '@/testing/candidates'
import { freshDatabase, PROVIDERS } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedTenant } from '@/testing/seed'
import { placeWorkload } from './controller-moves'
import { createWorkload } from './workloads'

it.each(PROVIDERS)('an older holder of the placement lease places nothing on %s', async (provider) => {
  const { db, drop } = await freshDatabase(provider)
  const seed = await seedTenant(db)
  const ctx = ctxFor(db, seed)
  const machine = await seedMachine(db, seed)
  const workload = await createWorkload(ctx, createInput())
  const wanted = { name: PLACEMENT_LEASE, ttlMs: 1000 }
  const old = await acquireLease(db, { ...wanted, holder: 'old', at: ctx.now() })
  const next = await acquireLease(db, { ...wanted, holder: 'next', at: new Date(ctx.now().getTime() + 1000) })
  const base = { workload, machineId: machine.id, catalog: CATALOG, at: ctx.now() }
  const late = placeWorkload(db, { ...base, placementId: ctx.newId(), epoch: old?.epoch ?? 0 })
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  expect(await placeWorkload(db, { ...base, placementId: ctx.newId(), epoch: next?.epoch ?? 0 })).toMatchObject({
    state: 'provisioning',
  })
  await drop()
})
