import { pause } from '@/kit/loop'
import { shutdownSignal } from '@/kit/shutdown'
import type { Runtime } from '@/server/auth/runtime'

const TICK_MS = 1000

/**
 * A moment to look again: at once, at each change signal, and each second besides, for what moves without one. Ends when the
 * client leaves and at shutdown.
 */
export async function* ticks(
  changes: Runtime['changes'],
  signal: AbortSignal | undefined,
): AsyncGenerator<AbortSignal, void, void> {
  const left = new AbortController()
  const stop = AbortSignal.any([shutdownSignal(), left.signal, ...(signal ? [signal] : [])])
  const waker = changes.watch(stop)
  try {
    let woken = nextOf(waker)
    while (!stop.aborted) {
      yield stop
      const isWoken = await Promise.race([woken.then(() => true), pause(TICK_MS, stop).then(() => false)])
      if (isWoken && !stop.aborted) woken = nextOf(waker)
    }
  } finally {
    left.abort()
    await waker.return(undefined)
  }
}

/** The next wake-up. A failure counts when it is waited for, and not before. */
function nextOf(waker: AsyncGenerator<number>): Promise<unknown> {
  const next = waker.next()
  next.catch(() => undefined)
  return next
}
