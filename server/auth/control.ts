import { LIMITS } from '@/domain/limits'
import type { Ctx } from '@/server/service/ctx'
import { type Control, claimControl, readControl, releaseControl, renewControl } from '@/server/store/system/control'

type Db = Ctx['db']

/** One window's hold on a session: who it is, and the generation that it took. `holder` names one attachment, never a person. */
export type Hold = { tenantId: string; workloadId: string; userId: string; holder: string; controllerGen: number }

const TTL_MS = LIMITS.controlLeaseSeconds * 1000
/** After a restored backup the store may be behind the session-host by as many take-overs as happened since. */
const CATCH_UP_MAX = 10_000

/**
 * Takes control of a session by compare-and-set. `expected` null: only if nobody holds it. `above`: the session-host's
 * own generation, which the new one must exceed. Returns the hold, or who has it now.
 */
export async function takeControl(
  db: Db,
  claim: Omit<Hold, 'controllerGen'> & { expected: number | null; above: number; at: Date },
): Promise<{ hold: Hold | null; controllerGen: number }> {
  const before = await readControl(db, claim.workloadId, claim.at)
  const mayTake = claim.expected === null ? before.holder === null : before.controllerGen === claim.expected
  let taken = mayTake ? await claimControl(db, { ...claim, expected: before.controllerGen, ttlMs: TTL_MS }) : null
  for (let tries = 0; taken !== null && taken <= claim.above && tries < CATCH_UP_MAX; tries++) {
    taken = await claimControl(db, { ...claim, expected: taken, ttlMs: TTL_MS })
  }
  if (taken === null) return { hold: null, controllerGen: (await readControl(db, claim.workloadId, claim.at)).controllerGen }
  const { tenantId, workloadId, userId, holder } = claim
  return { hold: { tenantId, workloadId, userId, holder, controllerGen: taken }, controllerGen: taken }
}

/** Prolongs a hold by 30 s; false when it went to another one or ran out. */
export async function keepControl(db: Db, hold: Hold, at: Date): Promise<boolean> {
  return renewControl(db, { ...hold, at, ttlMs: TTL_MS })
}

/** Gives a hold back; does nothing when it is not held any more. */
export async function giveControl(db: Db, hold: Hold): Promise<void> {
  await releaseControl(db, hold)
}

/** Who may type now. */
export async function controlOf(db: Db, workloadId: string, at: Date): Promise<Control> {
  return readControl(db, workloadId, at)
}
