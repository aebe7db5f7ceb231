import { followLog, type LogFeed, type LogStatus } from './follow-log'
import { type LogLine, LogLines } from './log-lines'

export type LogPicture = { lines: readonly LogLine[]; dropped: number; status: LogStatus }
export const NO_LOG: LogPicture = { lines: [], dropped: 0, status: { is: 'connecting' } }

/** How often a log that pours is drawn. */
const DRAW_MS = 100

/** One log that is being read, as pictures for the page: many chunks make one picture. Ends with `close`. */
export class LogStore {
  #picture = NO_LOG
  #status: LogStatus = NO_LOG.status
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #log = new LogLines()
  readonly #listeners = new Set<() => void>()
  readonly #stop = new AbortController()

  constructor(feed: Omit<LogFeed, 'log' | 'onChange' | 'wait'>) {
    const onChange = (status: LogStatus) => {
      this.#status = status
      this.#timer ??= setTimeout(() => this.#draw(), DRAW_MS)
    }
    void followLog({ ...feed, log: this.#log, onChange, wait }, this.#stop.signal)
  }

  readonly get = (): LogPicture => this.#picture

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#stop.abort()
    clearTimeout(this.#timer)
  }

  #draw(): void {
    this.#timer = undefined
    this.#picture = { lines: this.#log.lines, dropped: this.#log.dropped, status: this.#status }
    for (const listener of this.#listeners) listener()
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
