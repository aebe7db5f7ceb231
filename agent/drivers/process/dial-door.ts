import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** A connection to a door's socket. Rejects when nobody listens there, or when the signal aborts first. */
export function dialDoor(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connect(path)
    const giveUp = () => socket.destroy(new Error('the door did not open in time'))
    signal.addEventListener('abort', giveUp, { once: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
