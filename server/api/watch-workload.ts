import { AppError } from '@/domain/errors'
import { isTerminal } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { shutdownSignal } from '@/kit/shutdown'
import { getWorkload } from '@/server/service/workloads'
import { type Context, currentCtx } from './context'
import { toTrpcError } from './errors'
import { fingerprint } from './fingerprint'
import { ticks } from './ticks'

const RECHECK_MS = 1500

/**
 * One workload as this person sees it: at once, and whenever that changes, until it has ended. Who asks is looked up again
 * before anything is sent and every few seconds. Errors: not_found (also when a share is taken back), unauthenticated (the
 * sign-in ended), unavailable (at shutdown, so that the client comes back).
 */
export async function* watchWorkload(
  context: Pick<Context, 'runtime' | 'recheck'>,
  watched: { id: string; signal: AbortSignal | undefined },
): AsyncGenerator<WorkloadView, void, void> {
  let ctx = await currentCtx(context)
  let checkedAt = performance.now()
  let shown = ''
  for await (const _ of ticks(context.runtime.changes, watched.signal)) {
    let view = await getWorkload(ctx, watched.id)
    const isNew = fingerprint(view) !== shown
    if (!isNew && performance.now() - checkedAt < RECHECK_MS) continue
    ctx = await currentCtx(context)
    checkedAt = performance.now()
    if (!isNew) continue
    view = await getWorkload(ctx, watched.id)
    shown = fingerprint(view)
    yield view
    if (isTerminal(view.state)) return
  }
  if (shutdownSignal().aborted) throw toTrpcError(new AppError('unavailable', { what: 'Berth' }))
}
