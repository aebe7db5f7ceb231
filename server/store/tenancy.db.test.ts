import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, renameWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import { changedSince, listEvents } from './events'
import { findIdempotencyKey } from './idempotency'
import { candidates, findMachines, listMachines } from './machines'
import { endOperation, openOperation } from './operations'
import { detachPlacement, listPlacements } from './placements'
import { waitingQueue } from './queue'
import { takeQuota } from './quota'
import { moveState, takeSequence } from './raw-state'
import { deleteShare, putShare, relationsTo } from './shares'
import { findMember, findTenant, findTheme, saveTheme } from './users'
import * as rows from './workloads'
import { dropWorkspace, putWorkspace } from './workspaces'

eachProvider('tenancy', (get) => {
  /** Two tenants; the first has one of everything. `asOther` runs store functions with the second one's id. */
  async function twoTenants() {
    const mine = await seedTenant(get())
    const ctx = ctxFor(get(), mine)
    const machine = await seedMachine(get(), mine)
    const workload = await seedPlaced(ctx, machine, createInput({ name: 'secret', idempotencyKey: 'k' }))
    const at = ctx.now()
    await putShare(get(), mine.tenantId, { id: ctx.newId(), workloadId: workload.id, userId: null, level: 'view', at })
    await putWorkspace(get(), mine.tenantId, { workloadId: workload.id, machineId: machine.id, at })
    const other = await seedTenant(get())
    return { mine, ctx, machine, workload, at, other: other.tenantId, otherCtx: ctxFor(get(), other) }
  }
  const all = { visible: null, hasEnded: true }

  it('T1: hides workloads, their events, placements, operations and keys', async () => {
    const { workload, other, mine, at } = await twoTenants()
    const { id } = workload
    const of = { workloadId: id, limit: 10 }
    expect(await rows.findWorkload(get(), other, id)).toBeNull()
    expect(await rows.findWorkloads(get(), other, [id])).toEqual([])
    expect(await rows.lockWorkload(get(), other, id)).toBeNull()
    expect(await rows.listWorkloads(get(), other, { ...all, limit: 10 })).toEqual([])
    expect(await rows.listWorkloads(get(), other, { ...all, limit: 10, cursor: id })).toEqual([])
    expect((await rows.countByState(get(), other, all)).provisioning).toBe(0)
    expect(await rows.countPending(get(), other, new Date(0))).toEqual({ pending: 0, recent: 0 })
    expect(await waitingQueue(get(), other, at)).toEqual({ waiting: [], shares: new Map() })
    expect(await rows.isNameTaken(get(), other, { ownerId: workload.ownerId, name: 'secret' })).toBe(false)
    expect(await listEvents(get(), other, { ...of, afterSeq: 0 })).toEqual([])
    expect(await changedSince(get(), other, { changeNo: 0, limit: 10 })).toEqual([])
    expect(await listPlacements(get(), other, of)).toEqual([])
    expect(await openOperation(get(), other, id)).toBeNull()
    expect(await findIdempotencyKey(get(), other, { userId: mine.owner.id, key: 'k', at })).toBeNull()
  })

  it('changes nothing of another tenant', async () => {
    const { workload, other, mine, at, machine, ctx } = await twoTenants()
    const { id, version, placement } = workload
    const before = await rows.findWorkload(get(), mine.tenantId, id)
    const reason = { code: 'started' as const, args: {} }
    const move = { id, version, from: workload.state, to: 'running' as const, reason, at, patch: {} }
    expect(await moveState(get(), other, move)).toBeNull()
    expect(await takeSequence(get(), other, { id, shown: { reason, at } })).toBeNull()
    expect(await rows.renameRow(get(), other, { id, ownerId: workload.ownerId, name: 'taken' })).toBe(false)
    await rows.touchOpened(get(), other, { id, at })
    expect(await detachPlacement(get(), other, { id, placementId: placement?.id ?? '' })).toBe(false)
    await dropWorkspace(get(), other, { workloadId: id, at })
    await expect(putWorkspace(get(), other, { workloadId: id, machineId: machine.id, at })).rejects.toThrow()
    await endOperation(get(), other, { workloadId: id, kinds: ['park'], outcome: 'done', at })
    await deleteShare(get(), other, { workloadId: id, userId: null })
    await expect(putShare(get(), other, { id: ctx.newId(), workloadId: id, userId: null, level: 'manage', at })).rejects.toThrow()
    expect(await rows.findWorkload(get(), mine.tenantId, id)).toEqual(before)
    expect(await get().workspace.findUnique({ where: { workloadId: id } })).toMatchObject({ removedAt: null })
    expect(await get().share.findFirst({ where: { workloadId: id } })).toMatchObject({ level: 'view' })
  })

  it('hides machines that are not shared with everyone, people and the tenant itself', async () => {
    const { machine, mine, other } = await twoTenants()
    expect(await listMachines(get(), other)).toEqual([])
    expect(await findMachines(get(), other, [machine.id])).toEqual([])
    expect(await candidates(get(), other)).toEqual([])
    expect(await findMember(get(), other, mine.owner.id)).toBeNull()
    expect(await findTheme(get(), other, mine.owner.id)).toBeNull()
    await saveTheme(get(), other, { userId: mine.owner.id, theme: 'dark' })
    expect(await findTheme(get(), mine.tenantId, mine.owner.id)).toBe('system')
    expect(await takeQuota(get(), 'no-such-tenant')).toBe(false)
    expect(await findTenant(get(), 'no-such-tenant')).toBeNull()
  })

  it('gives a share no force outside its tenant', async () => {
    const { workload, other, mine } = await twoTenants()
    const member = await seedMember(get(), mine, 'member')
    const asked = { userId: member.id, workloads: [workload] }
    expect((await relationsTo(get(), mine.tenantId, asked)).get(workload.id)).toBe('view')
    expect((await relationsTo(get(), other, asked)).get(workload.id)).toBe('other')
  })

  it('answers every operation on another tenant’s workload with not_found', async () => {
    const { workload, otherCtx } = await twoTenants()
    for (const operation of [parkWorkload, deleteWorkload])
      await expect(operation(otherCtx, workload.id)).rejects.toMatchObject({ code: 'not_found', args: { what: 'workload' } })
    await expect(renameWorkload(otherCtx, workload.id, 'x')).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      createWorkload(ctxFor(get(), { tenantId: 'none', owner: otherCtx.person }), createInput()),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the store', () => {
  const here = path.dirname(new URL(import.meta.url).pathname)
  const NEEDS_NO_TENANT = new Set(
    [
      // They speak of the database itself, or their rows were read by tenant before.
      'change-source.ts changes-postgres.ts changes-sqlite.ts changes.ts counter.ts db.ts errors.ts json.ts migrate-postgres.ts',
      'migrate-sqlite.ts migrate.ts migrations.ts rows.ts shared.ts sqlite-adapter.ts sqlite-lock.ts sqlite-statements.ts',
      'sqlite-version.ts state-patch.ts url.ts capacity.ts samples.ts sqlite-file.ts',
      'archive.ts archive-postgres.ts archive-sqlite.ts old-events.ts backup.ts sync-to-disk.ts reserve.ts',
    ].flatMap((line) => line.split(' ')),
  )
  const HAS_TENANT_IN_ROWS = new Set(['withPlacements', 'placementsByIds', 'withUse', 'visibleReason'])

  it('N1: takes the tenant right after the database in every function outside system/', () => {
    const files = readdirSync(here).filter(
      (file) => file.endsWith('.ts') && !file.includes('.test.') && !NEEDS_NO_TENANT.has(file),
    )
    expect(files.length).toBeGreaterThan(10)
    const wrong = files.flatMap((file) => {
      const text = readFileSync(path.join(here, file), 'utf8')
      return [...text.matchAll(/^export (?:async )?function\*? (\w+)\(([^)]*)\)/gms)]
        .filter(
          ([, name, parameters]) =>
            !HAS_TENANT_IN_ROWS.has(name ?? '') && !/^\s*\w+: (Tx|Db),\s*tenantId: string/.test(parameters ?? ''),
        )
        .map(([, name]) => `${file}: ${name}`)
    })
    expect(wrong).toEqual([])
  })
})
