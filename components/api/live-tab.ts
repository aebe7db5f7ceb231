import type { LiveChange } from './live-patch'

/** `live`: changes arrive. `reconnecting`: they do not, and it is being tried. `ended`: signed out. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended'

type Listener = { onChange: (change: LiveChange) => void; onStatus: (status: LiveStatus) => void }

/** What a subscription says. `onEnd`: it is over and does not come back by itself. */
type Heard = Listener & { onEnd: () => void }

/** An answer that was no stream is asked for again after so long. */
const AGAIN_MS = 2000

/** What tabs tell each other. */
export type LiveWord =
  | { type: 'hello' }
  | { type: 'status'; status: LiveStatus; counter: number | null }
  | { type: 'change'; change: LiveChange }

export type LiveDeps = Listener & {
  /** Opens the subscription, from after `counter` (null: nothing seen yet). Returns how to close it. */
  subscribe: (counter: number | null, on: Heard) => () => void
  /** Runs `lead` while this tab is the one of all tabs that leads; when its signal aborts, the next tab does. */
  asLeader: (lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => void
  say: (word: LiveWord) => void
  listen: (onWord: (word: LiveWord) => void, signal: AbortSignal) => void
}

/**
 * One subscription a browser: a browser keeps six connections to a host, so a seventh tab with its own would hang.
 * One tab leads, subscribes and tells the others; when it closes, the next one goes on after the last change it saw.
 * A tab that cannot know what it missed before its first word gets a reset. Ends with the signal.
 */
export class LiveTab {
  private readonly deps: LiveDeps
  private counter: number | null = null
  private status: LiveStatus = 'connecting'
  private isLeading = false

  constructor(deps: LiveDeps, signal: AbortSignal) {
    this.deps = deps
    deps.listen((word) => this.onWord(word), signal)
    deps.say({ type: 'hello' })
    deps.asLeader((until) => this.lead(until), signal)
  }

  private lead(until: AbortSignal): Promise<void> {
    this.isLeading = true
    let close = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const onStatus = (status: LiveStatus) => {
      this.setStatus(status)
      this.sayStatus()
    }
    const open = () => {
      close = this.deps.subscribe(this.counter, {
        onChange: (change) => {
          this.take(change)
          this.deps.say({ type: 'change', change })
        },
        onStatus,
        onEnd: () => {
          if (!this.isLeading) return
          onStatus('reconnecting')
          timer = setTimeout(open, AGAIN_MS)
        },
      })
    }
    open()
    return new Promise((resolve) => {
      const end = () => {
        this.isLeading = false
        clearTimeout(timer)
        close()
        resolve()
      }
      if (until.aborted) end()
      else until.addEventListener('abort', end, { once: true })
    })
  }

  private onWord(word: LiveWord): void {
    if (this.isLeading) {
      if (word.type === 'hello') this.sayStatus()
      return
    }
    if (word.type === 'change') this.follow(word.change)
    if (word.type !== 'status') return
    this.setStatus(word.status)
    const hasMissed = word.counter !== null && word.counter !== this.counter
    if (hasMissed) this.take({ counter: word.counter ?? 0, reset: true, workloads: [], machines: null })
  }

  private follow(change: LiveChange): void {
    this.take(this.counter === null ? { ...change, reset: true } : change)
  }

  private take(change: LiveChange): void {
    this.counter = change.counter
    this.deps.onChange(change)
  }

  private setStatus(status: LiveStatus): void {
    this.status = status
    this.deps.onStatus(status)
  }

  private sayStatus(): void {
    this.deps.say({ type: 'status', status: this.status, counter: this.counter })
  }
}
