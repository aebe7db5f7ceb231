import { LIMITS } from '@/domain/limits'
import type { RefusedHost } from '@/domain/refusals'
import type { AuditLine } from './audit'

/** Counts what one instance was refused, by host. Hosts behind the bound are in the audit alone. */
export class Refusals {
  readonly #counts = new Map<string, number>()

  /** A name inside an allowed stream that is another one (`name`) says nothing about the host that was asked for. */
  add({ decision, reason, host }: Pick<AuditLine, 'decision' | 'reason' | 'host'>): void {
    if ((decision !== 'deny' && decision !== 'deny_private') || reason === 'name') return
    const count = this.#counts.get(host) ?? 0
    if (count > 0 || this.#counts.size < LIMITS.refusedHostsMax) this.#counts.set(host, count + 1)
  }

  list(): RefusedHost[] {
    return [...this.#counts].map(([host, count]) => ({ host, count }))
  }
}
