import { expect, it } from 'vitest'
import { listWorkloadsInput } from '@/domain/workloads'
import { putShare } from '@/server/store/shares'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import type { Ctx } from './ctx'
import { deleteWorkload } from './deletion'
import { countWorkloads, createWorkload, getWorkload, listWorkloads, workloadsChangedSince } from './workloads'

const query = (change: object = {}) => listWorkloadsInput.parse(change)
const ids = async (ctx: Ctx, change: object = {}) => (await listWorkloads(ctx, query(change))).rows.map((row) => row.name)

eachProvider('lists', (get) => {
  async function tenantWith(names: readonly string[]) {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    for (const name of names) {
      await createWorkload(ctx, createInput({ name }))
      clock.advance(1000)
    }
    return { seed, ctx, clock }
  }

  it('are newest first, page by page, and a page stays what it was when rows come in', async () => {
    const { ctx } = await tenantWith(['a', 'b', 'c', 'd', 'e'])
    const first = await listWorkloads(ctx, query({ limit: 2 }))
    expect(first.rows.map((row) => row.name)).toEqual(['e', 'd'])
    await createWorkload(ctx, createInput({ name: 'new' }))
    const second = await listWorkloads(ctx, query({ limit: 2, cursor: first.nextCursor }))
    expect(second.rows.map((row) => row.name)).toEqual(['c', 'b'])
    const third = await listWorkloads(ctx, query({ limit: 2, cursor: second.nextCursor }))
    expect(third.rows.map((row) => row.name)).toEqual(['a'])
    expect(third.nextCursor).toBeNull()
  })

  it('lose and repeat no row when many were created in the same millisecond', async () => {
    const ctx = ctxFor(get(), await seedTenant(get()))
    for (let i = 0; i < 9; i++) await createWorkload(ctx, createInput({ name: `same-${i}` }))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listWorkloads(ctx, query({ limit: 4, cursor }))
      seen.push(...page.rows.map((row) => row.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(new Set(seen).size).toBe(9)
    expect(seen).toHaveLength(9)
  })

  it('hide what has ended unless it is asked for', async () => {
    const { ctx } = await tenantWith(['stays', 'ends'])
    const { rows } = await listWorkloads(ctx, query({ text: 'ends' }))
    await deleteWorkload(ctx, rows[0]?.id ?? '')
    expect(await ids(ctx)).toEqual(['stays'])
    expect(await ids(ctx, { ended: true })).toEqual(['ends', 'stays'])
    expect(await ids(ctx, { states: ['canceled'] })).toEqual(['ends'])
    expect(await countWorkloads(ctx)).toMatchObject({ queued: 1, canceled: 1, running: 0 })
  })

  it('B1: filter by kind, by text without wildcards or SQL, and by owner', async () => {
    const { ctx, seed } = await tenantWith(['bob-one', 'two'])
    const colleague = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    await createWorkload(colleague, createInput({ kind: 'notebook', name: 'bobs', spec: { runtime: 'jupyterlab' } }))
    expect(await ids(ctx, { kinds: ['notebook'] })).toEqual(['bobs'])
    expect((await ids(ctx, { text: 'BOB' })).sort()).toEqual(['bob-one', 'bobs'])
    for (const text of ['%', '_', "' OR 1=1 --", '"; DROP TABLE workload; --', 'bob\\', 'x\u0000'])
      expect(await ids(ctx, { text })).toEqual([])
    const { id = '' } = (await listWorkloads(ctx, query({ text: 'two' }))).rows[0] ?? {}
    for (const part of [id, id.slice(0, 35), id.slice(-8).toUpperCase()]) expect(await ids(ctx, { text: part })).toContain('two')
    expect(await ids(colleague, { text: id })).toEqual([])
    expect((await ids(ctx, { mine: true })).sort()).toEqual(['bob-one', 'two'])
  })

  it('show a member their own and what is shared with them or with the tenant, and count no more', async () => {
    const { ctx, seed } = await tenantWith(['private', 'shared', 'tenant-wide'])
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    await createWorkload(member, createInput({ name: 'mine' }))
    const { rows } = await listWorkloads(ctx, query())
    const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? ''
    const at = ctx.now()
    const share = { id: ctx.newId(), workloadId: idOf('shared'), userId: member.person.id, level: 'use' as const, at }
    await putShare(get(), seed.tenantId, share)
    await putShare(get(), seed.tenantId, { id: ctx.newId(), workloadId: idOf('tenant-wide'), userId: null, level: 'view', at })
    expect((await ids(member)).sort()).toEqual(['mine', 'shared', 'tenant-wide'])
    expect((await ids(ctx)).sort()).toEqual(['mine', 'private', 'shared', 'tenant-wide'])
    expect((await countWorkloads(member)).queued).toBe(3)
    await expect(getWorkload(member, idOf('private'))).rejects.toMatchObject({ code: 'not_found' })
    expect((await getWorkload(member, idOf('shared'))).may).toContain('workload.operate')
    expect((await getWorkload(member, idOf('tenant-wide'))).may).toEqual(['workload.view', 'workload.watch'])
    // An admin sees and deletes, but does not open: an attached person acts with the owner's logins.
    expect((await getWorkload(ctx, rows.find((row) => row.name === 'mine')?.id ?? '')).may).not.toContain('workload.open')
  })

  it('say which machine a workload is on and whether it can be reached', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed)
    const placed = await seedPlaced(ctx, machine)
    const { reach, isOwn } = await getWorkload(ctx, placed.id)
    expect(reach).toEqual({ machineId: machine.id, machineName: machine.name, isConnected: true, lastContactAt: ctx.now() })
    expect(isOwn).toBe(true)
    expect((await getWorkload(ctx, (await createWorkload(ctx, createInput())).id)).reach).toBeNull()
  })

  it('say what changed since a value of the counter, only to who may see it', async () => {
    const { ctx, seed } = await tenantWith(['a'])
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const other = ctxFor(get(), await seedTenant(get()))
    expect((await workloadsChangedSince(ctx, 0))?.map((row) => row.name)).toEqual(['a'])
    expect(await workloadsChangedSince(member, 0)).toEqual([])
    expect(await workloadsChangedSince(other, 0)).toEqual([])
  })
})
