import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { PURPOSE_ACTIONS, type Purpose } from '@/domain/tickets'
import { insertTicket } from '@/server/store/system/tickets'
import { touchOpened } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { newSecret, secretHash } from './secrets'

export type TicketAsk = { workloadId: string; purpose: Purpose; nonceHash?: string | undefined }

/**
 * Mints a one-time pass to one door of one workload, good for 30 s. Its text is returned once and never stored.
 * Errors: not_found, forbidden, wrong_state (no instance to open).
 */
export async function mintTicket(ctx: Ctx, ask: TicketAsk): Promise<{ ticket: string }> {
  const workload = await loadFor(ctx, PURPOSE_ACTIONS[ask.purpose], ask.workloadId)
  const isOpenable = workload.placement !== null && workload.placement.releasedAt === null
  if (!isOpenable) throw new AppError('wrong_state', { action: 'open', state: workload.state })
  const ticket = newSecret()
  const at = ctx.now()
  await insertTicket(ctx.db, {
    id: ctx.newId(),
    tenantId: ctx.tenantId,
    userId: ctx.person.id,
    signInId: ctx.signInId,
    apiTokenId: ctx.apiTokenId,
    workloadId: workload.id,
    placementId: workload.placement?.id ?? null,
    purpose: ask.purpose,
    nonceHash: ask.nonceHash ?? null,
    secretHash: secretHash(ticket),
    createdAt: at,
    expiresAt: new Date(at.getTime() + LIMITS.ticketSeconds * 1000),
  })
  if (PURPOSE_ACTIONS[ask.purpose] === 'workload.open') await touchOpened(ctx.db, ctx.tenantId, { id: workload.id, at })
  return { ticket }
}
