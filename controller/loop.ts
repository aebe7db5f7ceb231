import type { Log } from '@/kit/log'
import { runLoop, type Waker } from '@/kit/loop'
import { watchChanges } from '@/server/store/changes'
import type { Db } from '@/server/store/db'

/** A pass comes at the latest after this, whatever signals were missed. */
const SAFETY_TICK_MS = 2000

/** Runs passes until the signal aborts: at once when the store changed or `waker` is called, and at each safety tick. */
export async function runControllerLoop(
  pass: (signal: AbortSignal) => Promise<void>,
  deps: { db: Db; log: Log; waker: Waker; signal: AbortSignal },
): Promise<void> {
  const { log, waker, signal } = deps
  await Promise.all([runLoop(pass, { everyMs: SAFETY_TICK_MS, signal, log, waker }), wakeOnChanges(deps)])
}

async function wakeOnChanges(deps: { db: Db; log: Log; waker: Waker; signal: AbortSignal }): Promise<void> {
  for await (const _ of watchChanges(deps.db, { signal: deps.signal })) deps.waker.wake()
}
