import type { Reason } from '@/domain/reasons'
import type { TerminalMode } from '@/protocol/terminal'

/**
 * connecting: a socket is being opened. open: attached. waiting: lost; tries again by itself in `retryInMs`.
 * ended: will not come back by itself (the program ended, or no ticket is given any more). closed: `close()` was called.
 */
export type TerminalStatus = 'connecting' | 'open' | 'waiting' | 'ended' | 'closed'

/** What a listener gets. Bytes come in order, each once, also across reconnects: hand all of them to the renderer. */
export type TerminalEvents = {
  /** `seq`: offset of the first byte since this run of the workload began. */
  output: { bytes: Uint8Array; seq: number }
  /** Clear the screen, set this size, then write the bytes. */
  snapshot: { bytes: Uint8Array; seq: number; cols: number; rows: number }
  /** Bytes that are no longer kept, or that this viewer was too slow for. */
  gap: { from: number; to: number }
  /** Size of the real terminal: it follows whoever types. */
  size: { cols: number; rows: number }
  exit: { code: number | null }
  /** Whether this window may type, as read back from the store. `wasRefused`: a claim of ours lost. */
  mode: { mode: TerminalMode; controllerGen: number; wasRefused: boolean }
  /** Who else watches, and who types (null: nobody). */
  presence: { viewers: number; controller: string | null }
  notice: { reason: Reason }
  status: { status: TerminalStatus; retryInMs: number | null; closeCode: number | null }
}

type Listener<E extends keyof TerminalEvents> = (value: TerminalEvents[E]) => void

/** Typed listeners of one connection. */
export class ConnectionEvents {
  readonly #listeners: { [E in keyof TerminalEvents]: Set<Listener<E>> } = {
    output: new Set(),
    snapshot: new Set(),
    gap: new Set(),
    size: new Set(),
    exit: new Set(),
    mode: new Set(),
    presence: new Set(),
    notice: new Set(),
    status: new Set(),
  }

  on<E extends keyof TerminalEvents>(event: E, listener: Listener<E>): () => void {
    this.#listeners[event].add(listener)
    return () => this.#listeners[event].delete(listener)
  }

  emit<E extends keyof TerminalEvents>(event: E, value: TerminalEvents[E]): void {
    for (const listener of this.#listeners[event]) listener(value)
  }
}
