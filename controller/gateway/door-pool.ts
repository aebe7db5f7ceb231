import type { Duplex } from 'node:stream'
import type { WorkloadBackend } from '@/backends/backend'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import { openDoor } from './door-stream'

const IDLE_MAX = 64
/** Whatever an idle connection does, it is not wanted any more: its server ended it, or says what nobody asked. */
const IDLE_EVENTS = ['data', 'end', 'error', 'close'] as const

/**
 * Connections of one person to one door of one instance, kept for the next request. Pools belong to a placement, so that
 * no request lands on the copy before it, and to a person, so that nobody's bytes can be left over in another one's connection.
 */
export class DoorPool {
  readonly #backend: Pick<WorkloadBackend, 'connect'>
  readonly #to: { instance: Instance; door: Door }
  readonly #idle = new Map<Duplex, () => void>()
  #taken = 0
  #usedAt = performance.now()
  #isClosed = false

  constructor(backend: Pick<WorkloadBackend, 'connect'>, to: { instance: Instance; door: Door }) {
    this.#backend = backend
    this.#to = to
  }

  /** A kept connection, or null: `open` makes one. */
  take(): Duplex | null {
    this.#usedAt = performance.now()
    for (const [stream, drop] of this.#idle) {
      this.#idle.delete(stream)
      for (const event of IDLE_EVENTS) stream.off(event, drop)
      if (stream.destroyed || stream.readableEnded || !stream.writable) continue
      this.#taken++
      return stream
    }
    return null
  }

  async open(): Promise<Duplex> {
    this.#taken++
    try {
      return await openDoor(this.#backend, this.#to.instance, this.#to.door)
    } catch (error) {
      this.#taken--
      throw error
    }
  }

  /** Every stream that was taken or opened comes back here once; only a clean one is kept. */
  giveBack(stream: Duplex, isClean: boolean): void {
    this.#taken--
    this.#usedAt = performance.now()
    if (!isClean || this.#isClosed || this.#idle.size >= IDLE_MAX || stream.destroyed) {
      stream.destroy()
      return
    }
    const drop = () => {
      this.#idle.delete(stream)
      stream.destroy()
    }
    for (const event of IDLE_EVENTS) stream.on(event, drop)
    this.#idle.set(stream, drop)
  }

  /** Has nothing under way and was not used for so long. */
  isIdle(ms: number): boolean {
    return this.#taken === 0 && performance.now() - this.#usedAt > ms
  }

  close(): void {
    this.#isClosed = true
    for (const stream of this.#idle.keys()) stream.destroy()
    this.#idle.clear()
  }
}
