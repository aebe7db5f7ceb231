import { isAppError } from '@/domain/errors'
import { hostLabel } from '@/domain/ids'
import { plainPage } from '@/domain/plain-page'
import { returnPath } from '@/domain/return-path'
import { addresses } from '@/domain/settings'
import type { Caller } from '@/server/auth/caller'
import { findByLabel } from '@/server/auth/find-by-label'
import { identifyCaller } from '@/server/auth/identify'
import type { Runtime } from '@/server/auth/runtime'
import { mintTicket } from '@/server/service/tickets'
import { getWorkload } from '@/server/service/workloads'
import { serviceCtx } from './context'

/** What a hand-over is for: the door, the hash that a ticket is bound to, and where the person wants to go inside. */
type Wanted = { label: string; port: number | null; nonceHash: string | null; to: string | null; isForOutputs: boolean }

/**
 * `GET /open/<label>?n=<hash>`, the dashboard's step of opening a workload: its host sent the browser here with the hash of
 * a nonce that it keeps in a cookie. Who is signed in and may open it goes back with a ticket in the fragment, good only
 * together with that cookie. Without a hash, as the dashboard's own links have it, the browser is sent to that host first.
 * `port` is another port of the same workload, `to` a path inside that is kept on the way; `show=outputs` leads to what a notebook
 * saved, which the dashboard itself shows. A label of another tenant answers
 * exactly as one that nobody has.
 */
export async function handOver(runtime: Runtime, request: Request, label: string): Promise<Response> {
  const say = (sentence: string, status: number) => plain(sentence, status, request.headers)
  if (!isNavigation(request.headers)) return say('Open this address in a tab of its own.', 403)
  const wanted = wantedOf(label, new URL(request.url).searchParams)
  if (!wanted) return say(NO_WORKLOAD, 404)
  if (wanted.nonceHash === null && !wanted.isForOutputs) return seeOther(startOf(runtime, wanted))
  const caller = await identifyCaller(runtime, request.headers)
  if (caller?.via !== 'cookie') return seeOther(`/sign-in?next=${encodeURIComponent(openOf(wanted))}`)
  const answer =
    wanted.nonceHash === null
      ? await outputsFor(runtime, caller, wanted)
      : await mintFor(runtime, caller, { ...wanted, nonceHash: wanted.nonceHash })
  return answer ?? say(NO_WORKLOAD, 404)
}

/** Null for anything that no host of ours would send. */
function wantedOf(label: string, query: URLSearchParams): Wanted | null {
  const [nonceHash, port, to] = [query.get('n'), query.get('port'), query.get('to')]
  if (!hostLabel.safeParse(label).success) return null
  if (nonceHash !== null && !/^[0-9a-f]{64}$/.test(nonceHash)) return null
  if (port !== null && (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535)) return null
  const isForOutputs = query.get('show') === 'outputs'
  return { label, nonceHash, port: port === null ? null : Number(port), to: to === null ? null : returnPath(to), isForOutputs }
}

/** The first step, on the workload's own host. */
function startOf(runtime: Runtime, { label, port, to }: Wanted): string {
  const origin = addresses(runtime.port).workloadOrigin(label, port)
  return `${origin}/.berth/start${to === null ? '' : `?to=${encodeURIComponent(to)}`}`
}

/** This very address, to come back to. With a path to keep it begins anew: signing in may outlast the nonce. */
function openOf({ label, port, nonceHash, to, isForOutputs }: Wanted): string {
  const query = new URLSearchParams()
  if (isForOutputs) query.set('show', 'outputs')
  if (nonceHash !== null && to === null) query.set('n', nonceHash)
  if (port !== null) query.set('port', String(port))
  if (to !== null) query.set('to', to)
  return `/open/${label}?${query}`
}

/** Null when this person has no such workload. */
async function mintFor(runtime: Runtime, caller: Caller, wanted: Wanted & { nonceHash: string }): Promise<Response | null> {
  const workload = await findByLabel(runtime, caller.tenantId, wanted.label)
  if (!workload) return null
  try {
    const ask = { workloadId: workload.id, purpose: 'http' as const, nonceHash: wanted.nonceHash }
    const { ticket } = await mintTicket(serviceCtx(runtime, caller), ask)
    return seeOther(`${addresses(runtime.port).workloadOrigin(wanted.label, wanted.port)}/.berth/enter#${ticket}`)
  } catch (error) {
    if (!isAppError(error)) throw error
    if (error.code === 'not_found') return null
    return seeOther(`/workloads/${workload.id}`) // its page says why it cannot be opened now
  }
}

/** The tab of its page, for who may see this workload; null for everybody else. */
async function outputsFor(runtime: Runtime, caller: Caller, { label }: Wanted): Promise<Response | null> {
  const workload = await findByLabel(runtime, caller.tenantId, label)
  if (!workload) return null
  try {
    const { id } = await getWorkload(serviceCtx(runtime, caller), workload.id)
    return seeOther(`/workloads/${id}?tab=outputs`)
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') return null
    throw error
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

const NO_WORKLOAD = 'No such workload. It may have been deleted.'

/** `proxy.ts` has put the nonce of this answer's policy into the request. */
function plain(sentence: string, status: number, headers: Headers): Response {
  const main = `<h1>${sentence}</h1><p><a href="/">To Berth</a></p>`
  const body = plainPage({ title: 'Berth', main, nonce: headers.get('x-nonce') ?? '' })
  return new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
}
