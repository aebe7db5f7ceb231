import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { registryHost } from '@/domain/machines'
import type { Target } from './target'
import { canonicalHost } from './target'

/**
 * What one instance may reach. `open`: every public address; `allow`: exact hosts, or `*.suffix` without the suffix itself;
 * `registries`: also where that is a private address.
 */
export const egressPolicy = z.strictObject({
  open: z.boolean(),
  allow: z.array(z.string().max(253)).max(600),
  registries: z.array(registryHost).max(LIMITS.registries),
})
export type EgressPolicy = z.infer<typeof egressPolicy>

export type Verdict = { isAllowed: true; mayBePrivate: boolean } | { isAllowed: false; reason: 'host' | 'port' }

const PORTS = [80, 443]

/** Pure: may this instance go there, and may the name lead to a private address? Deny is the default. */
export function judge(policy: EgressPolicy, target: Target): Verdict {
  const isRegistry = policy.registries.some((row) => canonical(row.host) === target.host && row.port === target.port)
  if (isRegistry) return { isAllowed: true, mayBePrivate: true }
  if (!policy.open && !policy.allow.some((rule) => matches(rule, target.host))) return { isAllowed: false, reason: 'host' }
  return PORTS.includes(target.port) ? { isAllowed: true, mayBePrivate: false } : { isAllowed: false, reason: 'port' }
}

function matches(rule: string, host: string): boolean {
  if (!rule.startsWith('*.')) return canonical(rule) === host
  const suffix = canonicalHost(rule.slice(2))
  return suffix !== null && host.endsWith(`.${suffix}`)
}

function canonical(host: string): string {
  return canonicalHost(host) ?? host.toLowerCase()
}
