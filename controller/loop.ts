import type { Log } from '@/kit/log'
import { pause, runLoop, type Waker } from '@/kit/loop'
import { watchChanges } from '@/server/store/changes'
import type { Db } from '@/server/store/db'

/** A pass comes at the latest after this, whatever signals were missed. */
const SAFETY_TICK_MS = 2000

/** Runs passes until the signal aborts: at once when the store changed or `waker` is called, and at each safety tick. */
export async function runControllerLoop(
  pass: (signal: AbortSignal) => Promise<void>,
  deps: { db: Db; log: Log; waker: Waker; signal: AbortSignal; tickMs?: number },
): Promise<void> {
  const { log, waker, signal, tickMs = SAFETY_TICK_MS } = deps
  await Promise.all([runLoop(pass, { everyMs: tickMs, signal, log, waker }), wakeOnChanges(deps)])
}

type Waking = { db: Db; log: Log; waker: Waker; signal: AbortSignal }

/** A database that is gone for a while costs signals, not the controller: the safety tick goes on. */
async function wakeOnChanges({ db, log, waker, signal }: Waking): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const _ of watchChanges(db, { signal })) waker.wake()
    } catch (error) {
      if (signal.aborted) return
      log.warn('change signal lost', { error })
    }
    await pause(SAFETY_TICK_MS, signal)
  }
}
