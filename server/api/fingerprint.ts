import type { WorkloadView } from '@/domain/views'

const REASON_AGE_MS = 20_000

/** All that a page shows. The age of a reason counts in steps, so that a waiting row is not sent at each look of the controller. */
export function fingerprint({ reasonAt, ...view }: WorkloadView): string {
  return JSON.stringify([view, reasonAt && Math.floor(reasonAt.getTime() / REASON_AGE_MS)])
}
