import { lookup } from 'node:dns/promises'
import { isOwnAddress, isPublicAddress, isReachableException } from './address'
import type { EgressPolicy } from './policy'
import { judge } from './policy'
import type { Target } from './target'

/** Every address of a name. The machine's resolver, or a test's. */
export type Resolve = (host: string) => Promise<string[]>
export type Vetted =
  | { decision: 'allow'; addresses: readonly string[] }
  | { decision: 'deny' | 'deny_private' | 'error'; reason: string }

const RESOLVE_MS = 5000

/** The machine's own resolver. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map((row) => row.address)

/**
 * The one decision for every kind of request: host and port by the policy, then the name is resolved here and every
 * answer must be public. The addresses that were judged are the ones that are dialled, never the name again.
 */
export async function vet(policy: EgressPolicy, target: Target, resolve: Resolve): Promise<Vetted> {
  const verdict = judge(policy, target)
  if (!verdict.isAllowed) return { decision: 'deny', reason: verdict.reason }
  const addresses = target.isLiteral ? [target.host] : await resolved(target.host, resolve)
  if (addresses.length === 0) return { decision: 'error', reason: 'name' }
  const isFine = verdict.mayBePrivate ? isReachableException : isPublicElsewhere
  return addresses.every(isFine) ? { decision: 'allow', addresses } : { decision: 'deny_private', reason: 'address' }
}

function isPublicElsewhere(address: string): boolean {
  return isPublicAddress(address) && !isOwnAddress(address)
}

async function resolved(host: string, resolve: Resolve): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((done) => {
    timer = setTimeout(() => done([]), RESOLVE_MS)
  })
  try {
    return await Promise.race([resolve(host), late])
  } catch {
    return [] // The name does not exist or nobody answers: an error of its own for the caller.
  } finally {
    clearTimeout(timer)
  }
}
