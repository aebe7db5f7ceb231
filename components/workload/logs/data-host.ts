import { member } from '@/components/api/failure'
import { fullSentence } from '@/components/ui/sentence'

/** What a machine keeps of a workload, by the names of the data host. */
export type Kept = 'terminal' | 'output' | 'build'

/** Which bytes an answer carries. */
export type ReadHead = { placementId: string; workloadGen: number; fromByte: number; endByte: number }
export type LogAsk = { source: Kept; placementId: string | null; tailBytes: number | null; isFollowed: boolean }
export type SearchAsk = { source: Kept; placementId: string | null; text: string; limit: number }
export type Match = { seq: number; line: string; at: Date | null }
export type SearchResult = { matches: Match[]; isComplete: boolean }

/** The data host refused: its code and the sentence for a person. */
export class Refused extends Error {
  readonly code: string
  readonly status: number
  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
    this.code = code
  }
}

type Call = { origin: string; ticket: string; signal: AbortSignal }

/** Opens the bytes of a log. Errors: Refused; TypeError when nothing answers. */
export async function openLog(call: Call, ask: LogAsk): Promise<{ head: ReadHead; body: ReadableStream<Uint8Array> }> {
  const answer = await askDataHost(call, '/logs', ask)
  const head = headOf(answer.headers.get('berth-read'))
  if (!answer.body || !head) throw new Refused(502, 'unavailable', 'This log came without its head.')
  return { head, body: answer.body }
}

/** Looks for text in what was printed, newest first. Errors: Refused; TypeError when nothing answers. */
export async function searchKept(call: Call, ask: SearchAsk): Promise<SearchResult> {
  const answer: unknown = await (await askDataHost(call, '/search', ask)).json()
  const matches = member(answer, 'matches')
  if (!Array.isArray(matches)) throw new Refused(502, 'unavailable', 'This answer cannot be read.')
  return { matches: matches.flatMap(matchOf), isComplete: member(answer, 'isComplete') === true }
}

/** A download by a form: the ticket travels in its body, never in an address. The page stays where it is. */
export function downloadByForm(action: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** Asks the data host, as JSON with a ticket. Errors: Refused; TypeError when nothing answers. */
export async function askDataHost({ origin, ticket, signal }: Call, path: string, body: unknown): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Ticket ${ticket}` },
    body: JSON.stringify(body),
    signal,
    credentials: 'omit',
    cache: 'no-store',
  })
  if (answer.ok) return answer
  const said: unknown = await answer.json().catch(() => null) // An answer of something else has no code.
  const [code, message] = [member(said, 'code'), member(said, 'message')]
  const text = typeof message === 'string' ? fullSentence(message) : `The machine answered ${answer.status}.`
  throw new Refused(answer.status, typeof code === 'string' ? code : 'unavailable', text)
}

function headOf(header: string | null): ReadHead | null {
  const parsed = parsedOf(header)
  const [placementId, workloadGen] = [member(parsed, 'placementId'), member(parsed, 'workloadGen')]
  const [fromByte, endByte] = [member(parsed, 'fromByte'), member(parsed, 'endByte')]
  const isWhole = typeof placementId === 'string' && typeof workloadGen === 'number'
  if (!isWhole || typeof fromByte !== 'number' || typeof endByte !== 'number') return null
  return { placementId, workloadGen, fromByte, endByte }
}

function parsedOf(header: string | null): unknown {
  try {
    return header === null ? null : JSON.parse(header)
  } catch {
    return null // something on the way broke it: the caller says that the head is missing
  }
}

function matchOf(raw: unknown): Match[] {
  const [seq, line, at] = [member(raw, 'seq'), member(raw, 'line'), member(raw, 'at')]
  if (typeof seq !== 'number' || typeof line !== 'string') return []
  return [{ seq, line, at: typeof at === 'string' ? new Date(at) : null }]
}
