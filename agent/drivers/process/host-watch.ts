import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** A host closes its socket a little before it is gone; on a busy machine not so little. */
const GONE_MS = [250, 2500] as const

/** Hears of every change of the session-hosts that it watches, and of their ends. */
export class HostWatch {
  readonly #changed: (placementId: string) => void
  readonly #sockets = new Map<string, Socket>()

  constructor(changed: (placementId: string) => void) {
    this.#changed = changed
  }

  /** Watches a host by its state socket. A second call while it is watched changes nothing. */
  watch(placementId: string, socketPath: string): void {
    if (this.#sockets.has(placementId)) return
    const socket = connect(socketPath)
    this.#sockets.set(placementId, socket)
    socket.unref()
    socket.on('data', () => this.#changed(placementId))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (this.#sockets.get(placementId) === socket) this.#sockets.delete(placementId)
      this.#changed(placementId)
      for (const ms of GONE_MS) setTimeout(() => this.#changed(placementId), ms).unref()
    })
  }

  leave(placementId: string): void {
    const socket = this.#sockets.get(placementId)
    this.#sockets.delete(placementId)
    socket?.destroy()
  }
}
