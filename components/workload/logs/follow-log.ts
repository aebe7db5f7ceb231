import { bytesText } from '@/components/ui/bytes'
import { type Kept, openLog, type ReadHead, Refused } from './data-host'
import type { LogLines } from './log-lines'

/** `ended`: its process ended, or it was not followed. `refused`: asking again would not help. */
export type LogStatus =
  | { is: 'connecting' | 'open' | 'ended' }
  | { is: 'waiting'; why: string }
  | { is: 'refused'; code: string; why: string }

export type LogFeed = {
  origin: string
  source: Kept
  isFollowed: boolean
  /** It is being started: what is not there yet will come. */
  isComing: boolean
  getTicket: () => Promise<string>
  log: LogLines
  /** Something of the log or its status changed. */
  onChange: (status: LogStatus) => void
  /** Resolves after so long, or when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What a window asks for first, and what it asks for again after a lost connection. */
const TAIL_BYTES = 2 ** 20
const WAIT_FIRST_MS = 500
const WAIT_MAX_MS = 10_000
/** Refusals that pass: the ticket was used up by a lost request, or the machine is away. */
const PASSING: readonly string[] = ['ticket', 'unreachable', 'unavailable', 'over_limit', 'internal']

/** Reads a log to its end or until the signal, through lost connections: no byte twice, and what is missing is said. Never throws. */
export async function followLog(feed: LogFeed, signal: AbortSignal): Promise<void> {
  const at: Position = { run: null }
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      feed.onChange({ is: 'connecting' })
      await readOnce(feed, at, {
        signal,
        onBytes: () => {
          failures = 0
        },
      })
      feed.onChange({ is: 'ended' })
      return
    } catch (error) {
      if (signal.aborted) return
      const refused = error instanceof Refused ? error : null
      if (refused && !isPassing(refused, feed)) {
        feed.onChange({ is: 'refused', code: refused.code, why: refused.message })
        return
      }
      feed.onChange({ is: 'waiting', why: refused?.message ?? 'The connection was lost.' })
      await feed.wait(Math.min(WAIT_FIRST_MS * 2 ** failures, WAIT_MAX_MS), signal)
    }
  }
}

function isPassing({ code }: Refused, { isComing }: LogFeed): boolean {
  return PASSING.includes(code) || (isComing && (code === 'not_found' || code === 'wrong_state'))
}

/** The run whose bytes are in the log already. */
type Position = { run: string | null }
type Reading = { signal: AbortSignal; onBytes: () => void }

async function readOnce(feed: LogFeed, at: Position, { signal, onBytes }: Reading): Promise<void> {
  const { origin, source, isFollowed, log } = feed
  const ticket = await feed.getTicket()
  const ask = { source, placementId: null, tailBytes: TAIL_BYTES, isFollowed }
  const { head, body } = await openLog({ origin, ticket, signal }, ask)
  let skip = begin(log, head, at)
  feed.onChange({ is: 'open' })
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    onBytes()
    const fresh = next.value.subarray(Math.min(skip, next.value.length))
    skip -= next.value.length - fresh.length
    if (fresh.length === 0) continue
    log.push(fresh)
    feed.onChange({ is: 'open' })
  }
}

/** Where the answer stands to what is known: how many of its bytes are known already. */
function begin(log: LogLines, head: ReadHead, at: Position): number {
  const isKnown = at.run === head.placementId
  if (!isKnown && at.run !== null) log.mark(`Started again, generation ${head.workloadGen}`)
  at.run = head.placementId
  if (isKnown && head.fromByte <= log.endSeq) return log.endSeq - head.fromByte
  const missed = head.fromByte - (isKnown ? log.endSeq : 0)
  if (missed > 0) log.mark(`${bytesText(missed)} before this not shown; the download has what is kept`)
  log.jumpTo(head.fromByte)
  return 0
}
