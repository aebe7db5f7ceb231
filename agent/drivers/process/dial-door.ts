import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Door } from '@/protocol/paths'
import { askPort } from '@/protocol/ports'

/** A byte stream to a door, also to a TCP port inside. Rejects when nothing listens there. */
export async function openDoor(path: string, door: Door, signal: AbortSignal): Promise<Socket> {
  const socket = await dialDoor(path, signal)
  if (typeof door !== 'number' || (await askPort(socket, door, signal))) return socket
  socket.destroy()
  throw new Error('nothing listens on that port')
}

/** A connection to a door's socket. Rejects when nobody listens there, or when the signal aborts first. */
function dialDoor(path: string, signal: AbortSignal): Promise<Socket> {
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
