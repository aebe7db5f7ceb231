import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { isTerminal } from '@/domain/states'
import { PURPOSE_ACTIONS, type Purpose } from '@/domain/tickets'
import type { Workload } from '@/domain/workloads'
import { insertTicket } from '@/server/store/system/tickets'
import { touchOpened } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { newSecret, secretHash } from './secrets'

export type TicketAsk = { workloadId: string; purpose: Purpose; nonceHash?: string | undefined }

/**
 * Mints a one-time pass to one door of one workload, good for 30 s. Its text is returned once and never stored. What a
 * machine keeps of a workload can be read without an instance too: such a ticket names no placement. Errors: not_found,
 * forbidden, wrong_state (nothing to open).
 */
export async function mintTicket(ctx: Ctx, ask: TicketAsk): Promise<{ ticket: string }> {
  const action = PURPOSE_ACTIONS[ask.purpose]
  const workload = await loadFor(ctx, action, ask.workloadId)
  const placementId = instanceFor(workload, ask.purpose)
  const ticket = newSecret()
  const at = ctx.now()
  await insertTicket(ctx.db, {
    id: ctx.newId(),
    tenantId: ctx.tenantId,
    userId: ctx.person.id,
    signInId: ctx.signInId,
    apiTokenId: ctx.apiTokenId,
    workloadId: workload.id,
    placementId,
    purpose: ask.purpose,
    nonceHash: ask.nonceHash ?? null,
    secretHash: secretHash(ticket),
    createdAt: at,
    expiresAt: new Date(at.getTime() + LIMITS.ticketSeconds * 1000),
  })
  if (action === 'workload.open') await touchOpened(ctx.db, ctx.tenantId, { id: workload.id, at })
  return { ticket }
}

/** Purposes that read what was kept, so that a parked, failed or lost workload has them too. */
const KEPT: readonly Purpose[] = ['logs', 'record', 'outputs']
/** What it would have been for, in a refusal. */
const DOES: Partial<Record<Purpose, string>> = {
  logs: 'read the logs of',
  record: 'read the record of',
  outputs: 'read the saved outputs of',
}

function instanceFor(workload: Workload, purpose: Purpose): string | null {
  const { placement, state } = workload
  if (placement !== null && placement.releasedAt === null) return placement.id
  const hasFiles = workload.workloadGen > 0 && !isTerminal(state) && state !== 'removing'
  if (KEPT.includes(purpose) && hasFiles) return null
  throw new AppError('wrong_state', { action: DOES[purpose] ?? 'open', state })
}
