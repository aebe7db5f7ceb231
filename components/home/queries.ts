import { LIMITS } from '@/domain/limits'

/** What Home asks, here once so that the server asks the very same first. */
export const HOME_LIST = { mine: true, limit: LIMITS.listDefault }
/** The same with what has ended, for what changed today. */
export const HOME_TODAY = { mine: true, ended: true, limit: LIMITS.listDefault }
