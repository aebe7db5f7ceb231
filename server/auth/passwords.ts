import argon2 from 'argon2'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { WorkQueue } from './work-queue'

/** OWASP's first choice for 19 MiB: about 60 ms of one core. */
const ARGON2ID = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const RUNNING_MAX = 2
/** No password has this hash. Checking against it costs the same as against a real one, so time tells nothing about accounts. */
const NOBODY = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

const holder = globalThis as { berthHashQueue?: WorkQueue }

/** One queue per process: a bundler may load this module more than once, and the bound is on the machine. */
function hashQueue(): WorkQueue {
  holder.berthHashQueue ??= new WorkQueue({
    running: RUNNING_MAX,
    waiting: LIMITS.hashQueueMax,
    full: () => new AppError('over_limit', { limit: 'sign-ins at once', max: LIMITS.hashQueueMax, retrySeconds: 2 }),
  })
  return holder.berthHashQueue
}

/** Hashes a password of at most 128 characters with argon2id. Errors: over_limit when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  requireLength(password)
  return hashQueue().run(() => argon2.hash(password, ARGON2ID))
}

/**
 * Is this the password? `hash` null (no such account) does the same work and says no. `meanwhile` runs while it hashes, so
 * that what is written about a try costs no time that could be seen. Errors: over_limit, invalid.
 */
export async function verifyPassword(
  hash: string | null,
  password: string,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  requireLength(password)
  const [isRight] = await hashQueue().run(() => Promise.all([argon2.verify(hash ?? NOBODY, password), meanwhile()]))
  return isRight && hash !== null
}

/** Was this hash made with weaker parameters than today's? */
export function isWeakHash(hash: string): boolean {
  return argon2.needsRehash(hash, ARGON2ID)
}

/** Refuses a megabyte password before it costs a hash. */
function requireLength(password: string): void {
  if (password.length <= LIMITS.passwordCharsMax) return
  throw new AppError('invalid', { field: 'password', limit: `at most ${LIMITS.passwordCharsMax} characters` })
}
