import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { ShareLevel } from '@/domain/permissions'
import { because } from '@/domain/reasons'
import { isTerminal } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { listMembers } from '@/server/store/members'
import { deleteShare, listShares as listRows, putShare, type Share, wasUnsharedSince } from '@/server/store/shares'
import { findMember, findTenant } from '@/server/store/users'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { note } from './transition'

/** `userId` and `email` are null for everyone in the tenant. */
export type ShareView = Share & { name: string; email: string | null }
/** A person, or null for everyone in the tenant. */
type Whom = { workloadId: string; userId: string | null }

/** With whom a workload is shared, the oldest first. Errors: not_found, forbidden. */
export async function listShares(ctx: Ctx, workloadId: string): Promise<ShareView[]> {
  await loadFor(ctx, 'workload.share', workloadId)
  const rows = await listRows(ctx.db, ctx.tenantId, workloadId)
  const members = new Map((await listMembers(ctx.db, ctx.tenantId)).map((member) => [member.userId, member]))
  const everyone = await everyoneName(ctx)
  return rows.flatMap((row): ShareView[] => {
    if (row.userId === null) return [{ ...row, name: everyone, email: null }]
    const member = members.get(row.userId)
    return member ? [{ ...row, name: member.name, email: member.email }] : []
  })
}

/** Shares a workload with a person or everyone, or changes the level. Errors: not_found, forbidden, invalid, wrong_state, over_limit. */
export async function setShare(ctx: Ctx, share: Whom & { level: ShareLevel }): Promise<void> {
  const { workloadId, userId, level } = share
  const known = await loadFor(ctx, 'workload.share', workloadId)
  if (userId === known.ownerId) throw new AppError('invalid', { field: 'userId', limit: 'its owner may do everything already' })
  const name = await nameOf(ctx, userId)
  await inTx(ctx.db, async (tx) => {
    const { workload, shares, before } = await locked(tx, ctx, share)
    if (before?.level === level) return
    if (!before && shares.length >= LIMITS.sharesMax)
      throw new AppError('over_limit', { limit: 'shares of a workload', max: LIMITS.sharesMax })
    await putShare(tx, ctx.tenantId, { id: ctx.newId(), workloadId, userId, level, at: ctx.now() })
    const reason = because('shared_by_person', { person: ctx.person.name, with: name, level })
    await note(tx, workload, reason, ctx.now(), by(ctx))
  })
}

/** Takes a share back; absent already is success. What it opened ends within two seconds. Errors: not_found, forbidden. */
export async function removeShare(ctx: Ctx, share: Whom): Promise<void> {
  await loadFor(ctx, 'workload.share', share.workloadId)
  const name = await leaverName(ctx, share.userId)
  await inTx(ctx.db, async (tx) => {
    const { workload, before } = await locked(tx, ctx, share)
    if (!before) return
    await deleteShare(tx, ctx.tenantId, share)
    const reason = because('unshared_by_person', { person: ctx.person.name, with: name })
    await note(tx, workload, reason, ctx.now(), by(ctx))
  })
}

/** May this person have lost sight of a workload since? Owners and admins see all of them in any case. */
export async function mayHaveLostSight(ctx: Ctx, changeNo: number): Promise<boolean> {
  const { role } = ctx.person
  return role !== 'owner' && role !== 'admin' && wasUnsharedSince(ctx.db, ctx.tenantId, changeNo)
}

type Locked = { workload: Workload; shares: Share[]; before: Share | undefined }

async function locked(tx: Tx, ctx: Ctx, { workloadId, userId }: Whom): Promise<Locked> {
  const workload = await lock(tx, ctx, workloadId)
  if (isTerminal(workload.state)) throw new AppError('wrong_state', { action: 'share', state: workload.state })
  const shares = await listRows(tx, ctx.tenantId, workloadId)
  return { workload, shares, before: shares.find((share) => share.userId === userId) }
}

async function nameOf(ctx: Ctx, userId: string | null): Promise<string> {
  if (userId === null) return everyoneName(ctx)
  const member = await findMember(ctx.db, ctx.tenantId, userId)
  if (!member) throw new AppError('not_found', { what: 'person' })
  return member.name
}

/** Who left the tenant can still be taken off the list. */
async function leaverName(ctx: Ctx, userId: string | null): Promise<string> {
  if (userId === null) return everyoneName(ctx)
  return (await findMember(ctx.db, ctx.tenantId, userId))?.name ?? 'a former member'
}

async function everyoneName(ctx: Ctx): Promise<string> {
  const tenant = await findTenant(ctx.db, ctx.tenantId)
  return `everyone in ${tenant?.name ?? 'the tenant'}`
}
