import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { toTrpcError } from './errors'

/** How many each person has open, in this process. */
const open = new Map<string, number>()

/** Passes a subscription on and counts it while it is open, so that one person cannot take all of the server. Errors: over_limit. */
export async function* counted<T>(userId: string, stream: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  const others = open.get(userId) ?? 0
  if (others >= LIMITS.streamsPerUser)
    throw toTrpcError(new AppError('over_limit', { limit: 'open subscriptions', max: LIMITS.streamsPerUser }))
  open.set(userId, others + 1)
  try {
    yield* stream
  } finally {
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
}
