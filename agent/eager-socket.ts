import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

/** What may wait here for a controller that reads slowly: twice what its flow-control window lets the tunnel send. */
const WAITING_BYTES_MAX = 64 * 2 ** 20

/**
 * A socket whose writes are taken at once, for this end of the tunnel. Node's HTTP/2 stops reading while a write waits
 * for the socket; when both ends wait so, bulk data in both directions stops for ever. It is enough that one end never
 * waits. What piles up here is bounded by the other end's flow-control window.
 */
export function eagerSocket(socket: TLSSocket): Duplex {
  const eager = new Duplex({
    allowHalfOpen: true,
    read: () => {
      socket.resume()
    },
    write: (chunk, encoding, done) => {
      settle(socket, socket.write(chunk, encoding), done)
    },
    writev: (chunks, done) => {
      socket.cork()
      const isTaken = chunks.map(({ chunk, encoding }) => socket.write(chunk, encoding)).every((taken) => taken)
      socket.uncork()
      settle(socket, isTaken, done)
    },
    final: (done) => {
      socket.end(() => done())
    },
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => {
    if (!eager.push(chunk)) socket.pause()
  })
  socket.on('end', () => eager.push(null))
  socket.on('error', (error) => eager.destroy(error))
  socket.on('close', () => eager.destroy())
  return eager
}

/** Done at once, unless the other end reads nothing at all any more. */
function settle(socket: TLSSocket, isTaken: boolean, done: () => void): void {
  if (isTaken || socket.writableLength < WAITING_BYTES_MAX) done()
  else socket.once('drain', () => done())
}
