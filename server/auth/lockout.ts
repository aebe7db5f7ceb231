import { LIMITS } from '@/domain/limits'

/**
 * Seconds to wait before the next try after `failures` wrong passwords in a row: none for the first five, then 1 s, doubled
 * each time up to 15 minutes. An account is never locked for good.
 */
export function signInDelaySeconds(failures: number): number {
  const beyond = failures - LIMITS.signInFailuresFree
  if (beyond < 0) return 0
  return Math.min(2 ** Math.min(beyond, 30), LIMITS.signInDelayMaxSeconds)
}
