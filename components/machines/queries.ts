import { LIMITS } from '@/domain/limits'

/** Everything that may hold a place on a machine. Here once, so that the server asks the very same. */
export const PLACED = { limit: LIMITS.listMax }
