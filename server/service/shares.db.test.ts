import { beforeEach, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { reasonText } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, type Seed, seedMember, seedTenant } from '@/testing/seed'
import type { Ctx, Person } from './ctx'
import { deleteWorkload } from './deletion'
import { listShares, removeShare, setShare } from './shares'
import { createWorkload, getWorkload, listEvents } from './workloads'

eachProvider('shares', (db) => {
  let seed: Seed
  let ctx: Ctx
  let noor: Person
  let workload: Workload
  beforeEach(async () => {
    seed = await seedTenant(db())
    ctx = ctxFor(db(), seed)
    noor = await seedMember(db(), seed, 'member')
    workload = await createWorkload(ctx, createInput())
  })
  const as = (person: Person) => ctxFor(db(), seed, { person })
  const texts = async () => (await listEvents(ctx, { id: workload.id })).map((event) => reasonText(event.reason))

  it('give a person what their level says, are listed by name, and leave a line for each change and none for the same again', async () => {
    const share = { workloadId: workload.id, userId: noor.id }
    await expect(getWorkload(as(noor), workload.id)).rejects.toMatchObject({ code: 'not_found' })
    await setShare(ctx, { ...share, level: 'view' })
    await setShare(ctx, { ...share, level: 'view' })
    await setShare(ctx, { ...share, level: 'manage' })
    await setShare(ctx, { workloadId: workload.id, userId: null, level: 'use' })
    expect((await getWorkload(as(noor), workload.id)).may).toContain('workload.delete')
    expect(await listShares(ctx, workload.id)).toMatchObject([
      { userId: noor.id, name: 'Noor', email: noor.email, level: 'manage' },
      { userId: null, name: 'everyone in Harbor', email: null, level: 'use' },
    ])
    await removeShare(ctx, share)
    await removeShare(ctx, share)
    expect((await getWorkload(as(noor), workload.id)).may).not.toContain('workload.delete')
    expect((await texts()).slice(1)).toEqual([
      'shared with Noor (view) by Mara',
      'shared with Noor (manage) by Mara',
      'shared with everyone in Harbor (use) by Mara',
      'no longer shared with Noor; changed by Mara',
    ])
  })

  it('are refused to a stranger of the tenant, to the owner, on what has ended, and beyond the bound', async () => {
    const other = await seedTenant(db())
    const set = (userId: string | null, asked = ctx) => setShare(asked, { workloadId: workload.id, userId, level: 'view' })
    await expect(set(other.owner.id)).rejects.toMatchObject({ code: 'not_found', args: { what: 'person' } })
    await expect(set(seed.owner.id)).rejects.toMatchObject({ code: 'invalid', args: { field: 'userId' } })
    await setShare(ctx, { workloadId: workload.id, userId: noor.id, level: 'manage' })
    await expect(set(null, as(noor))).rejects.toMatchObject({ code: 'forbidden' })
    const row = { tenantId: seed.tenantId, workloadId: workload.id, level: 'view', createdAt: ctx.now() }
    const rows = Array.from({ length: LIMITS.sharesMax - 1 }, () => ({ ...row, id: ctx.newId(), userKey: ctx.newId() }))
    await db().share.createMany({ data: rows })
    await expect(set(null)).rejects.toMatchObject({ code: 'over_limit', args: { max: LIMITS.sharesMax } })
    await deleteWorkload(ctx, workload.id)
    await expect(set(noor.id)).rejects.toMatchObject({ code: 'wrong_state' })
  })
})
