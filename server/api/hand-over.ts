import { isAppError } from '@/domain/errors'
import { hostLabel } from '@/domain/ids'
import { addresses } from '@/domain/settings'
import type { Caller } from '@/server/auth/caller'
import { findByLabel } from '@/server/auth/find-by-label'
import { identifyCaller } from '@/server/auth/identify'
import type { Runtime } from '@/server/auth/runtime'
import { mintTicket } from '@/server/service/tickets'
import { serviceCtx } from './context'

/**
 * `GET /open/<label>?n=<hash>`, the dashboard's step of opening a workload: its host sent the browser here with the hash of
 * a nonce that it keeps in a cookie. Who is signed in and may open it goes back with a ticket in the fragment, good only
 * together with that cookie. Without a hash, as the dashboard's own links have it, the browser is sent to that host first.
 * A label of another tenant answers exactly as one that nobody has.
 */
export async function handOver(runtime: Runtime, request: Request, label: string): Promise<Response> {
  if (!isNavigation(request.headers)) return plain(403, 'Open this address in a tab of its own.')
  if (!hostLabel.safeParse(label).success) return noSuchWorkload()
  const nonceHash = new URL(request.url).searchParams.get('n')
  if (nonceHash === null) return seeOther(`${addresses(runtime.port).workloadOrigin(label)}/.berth/start`)
  if (!/^[0-9a-f]{64}$/.test(nonceHash)) return noSuchWorkload()
  const caller = await identifyCaller(runtime, request.headers)
  if (caller?.via !== 'cookie') return seeOther(`/sign-in?next=${encodeURIComponent(`/open/${label}?n=${nonceHash}`)}`)
  return mintFor(runtime, caller, { label, nonceHash })
}

async function mintFor(runtime: Runtime, caller: Caller, wanted: { label: string; nonceHash: string }): Promise<Response> {
  const workload = await findByLabel(runtime, caller.tenantId, wanted.label)
  if (!workload) return noSuchWorkload()
  try {
    const ask = { workloadId: workload.id, purpose: 'http' as const, nonceHash: wanted.nonceHash }
    const { ticket } = await mintTicket(serviceCtx(runtime, caller), ask)
    return seeOther(`${addresses(runtime.port).workloadOrigin(wanted.label)}/.berth/enter#${ticket}`)
  } catch (error) {
    if (!isAppError(error)) throw error
    if (error.code === 'not_found') return noSuchWorkload()
    return seeOther(`/workloads/${workload.id}`) // its page says why it cannot be opened now
  }
}

/** A click, not a guess of the browser's and not a picture on some page. */
function isNavigation(headers: Headers): boolean {
  const destination = headers.get('sec-fetch-dest')
  return !/prefetch|prerender/i.test(headers.get('sec-purpose') ?? '') && (destination === null || destination === 'document')
}

/** Relative addresses stay on the dashboard, whatever host a proxy says this is. */
function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
}

function noSuchWorkload(): Response {
  return plain(404, 'No such workload. It may have been deleted.')
}

function plain(status: number, sentence: string): Response {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Berth</title><main><p>${sentence}</p><p><a href="/">To Berth</a></p></main></html>\n`
  return new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
}
