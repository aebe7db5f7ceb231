import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { LIMITS } from '@/domain/limits'
import type { State } from '@/domain/states'
import { WAIT_SCRIPT } from './page-scripts'
import { type Page, sendPage, sendText } from './pages'

export type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Why a request gets no further. `waiting` names the workload's state, `port_closed` the workload to whoever has its pass. */
export type Refusal = SimpleRefusal | PortClosed | { code: 'waiting'; state: State; dashboardOrigin: string }
export type SimpleRefusal = { code: Exclude<keyof typeof REFUSALS, 'waiting' | 'port_closed'> }
type PortClosed = { code: 'port_closed'; port: number; name: string }

type Row = Pick<Page, 'status' | 'title' | 'text' | 'headers'>

const REFUSALS = {
  malformed: { status: 400, title: 'Not a request', text: 'This request cannot be read.' },
  ambiguous: { status: 400, title: 'Two passes', text: 'A cookie of Berth came twice; clear the cookies of this address.' },
  too_many_headers: { status: 431, title: 'Too many headers', text: 'This request has more than 100 headers.' },
  foreign: { status: 421, title: 'Not an address of Berth', text: 'Nothing of Berth is served at this address.' },
  unknown: { status: 404, title: 'No such workload', text: 'There is nothing at this address.' },
  no_ports: {
    status: 404,
    title: 'No ports here',
    text: 'This workload shares the network of its machine; open the port there.',
  },
  not_here: { status: 404, title: 'Not found', text: 'There is nothing at this path.' },
  ended: {
    status: 410,
    title: 'This workload has ended',
    text: 'It was removed; this address will not be used again.',
    headers: { 'clear-site-data': '"cache", "cookies", "storage"' },
  },
  waiting: { status: 503, title: 'Not running', text: 'This workload is not running now.', headers: { 'retry-after': '3' } },
  unreachable: {
    status: 503,
    title: 'No answer yet',
    text: 'This workload cannot be reached right now. This page tries again by itself.',
    headers: { 'retry-after': '3', refresh: '3' },
  },
  port_closed: {
    status: 503,
    title: 'Nothing there yet',
    text: 'Nothing listens on this port yet. This page tries again by itself.',
    headers: { 'retry-after': '3', refresh: '3' },
  },
  cross_site: { status: 403, title: 'Refused', text: 'This request comes from another site.' },
  prefetch: { status: 403, title: 'Refused', text: 'Berth opens a workload only when you do.' },
  no_pass: { status: 401, title: 'Not open', text: 'Open this workload in Berth first.' },
  too_many: {
    status: 429,
    title: 'Too many connections',
    text: `You have ${LIMITS.streamsPerUser} connections open; close some and try again.`,
    headers: { 'retry-after': '3' },
  },
  method: { status: 405, title: 'Refused', text: 'This method is not served here.' },
  broken: { status: 500, title: 'Something broke', text: 'Berth could not do this; its log says why.' },
} as const satisfies Record<string, Row>

/** What the page of a workload says while it does not run. Terminal states are `ended`, a running one is open. */
const STATE_TEXTS: Record<State, { title: string; text: string }> = {
  queued: { title: 'Waiting', text: 'This workload waits for a machine. It opens here by itself.' },
  provisioning: { title: 'Starting', text: 'This workload is starting. It opens here by itself.' },
  running: { title: 'Running', text: 'This workload is running.' },
  paused: { title: 'Paused', text: 'This workload is paused. Resume it in Berth; it opens here by itself.' },
  parking: { title: 'Parking', text: 'This workload is being parked; its files are kept.' },
  parked: { title: 'Parked', text: 'This workload is parked; its files are kept. Resume it in Berth; it opens here by itself.' },
  removing: { title: 'Removing', text: 'This workload is being removed.' },
  failed: { title: 'Failed', text: 'This workload failed. Berth shows why.' },
  lost: { title: 'Out of reach', text: 'The machine of this workload is out of reach. Berth shows what is known.' },
  removed: { title: 'Removed', text: 'This workload was removed.' },
  canceled: { title: 'Canceled', text: 'This workload was canceled.' },
}

/** The title and the sentence about a state, for the page that waits. */
export function stateWords(state: State): { title: string; text: string } {
  return STATE_TEXTS[state]
}

/** Answers with a page when a person looks, and with one sentence otherwise. */
export function refuse({ request, response }: Exchange, refusal: Refusal): void {
  const row = rowOf(refusal)
  if (!isNavigation(request)) {
    sendText(response, row)
    return
  }
  if (refusal.code !== 'waiting') {
    sendPage(response, row)
    return
  }
  const link = { href: refusal.dashboardOrigin, text: 'Open Berth' }
  sendPage(response, { ...row, ...STATE_TEXTS[refusal.state], link, script: WAIT_SCRIPT })
}

function rowOf(refusal: Refusal): Row {
  const row = REFUSALS[refusal.code]
  if (refusal.code !== 'port_closed') return row
  return { ...row, text: `Nothing listens on port ${refusal.port} of ${refusal.name} yet. This page tries again by itself.` }
}

/** Ends an upgrade with the same status and no body. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status } = REFUSALS[refusal.code]
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** A person opened this address in a window of their own. */
export function isNavigation(request: IncomingMessage): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const dest = request.headers['sec-fetch-dest']
  if (dest !== undefined) return dest === 'document'
  return request.headers.accept?.includes('text/html') ?? false
}
