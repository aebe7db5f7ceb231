import { readSync } from 'node:fs'
import { Socket } from 'node:net'

const BUFFER_BYTES = 65_536
/** More than the kernel keeps of a terminal; a program that still prints after the end of the first one is cut there. */
const REST_BYTES_MAX = 1024 * 1024

/**
 * Reads a pseudo-terminal to its last byte, into one buffer: `take` must copy what it keeps. Called before anything was
 * read. node-pty itself makes 64 KiB of buffer for each few bytes, and loses what is left when the program ends: libuv
 * takes a hang-up behind a short read for the end, and 200 ms after the program the terminal is closed.
 * Returns false where Node keeps the parts that this needs elsewhere: the output is read by events then.
 */
export function readTerminal(pty: object, take: (bytes: Buffer) => void): boolean {
  const [socket, fd]: unknown[] = [Reflect.get(pty, '_socket'), Reflect.get(pty, 'fd')]
  if (!(socket instanceof Socket) || typeof fd !== 'number') return false
  const handle: unknown = Reflect.get(socket, '_handle')
  const [kept, told] = ['kBuffer', 'kBufferCb'].map((name) =>
    Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === name),
  )
  if (!kept || !told || !takesBuffer(handle)) return false
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of Node's, no hook.
  handle.useUserBuffer(buffer)
  Reflect.set(socket, kept, buffer)
  Reflect.set(socket, told, (count: number) => {
    take(buffer.subarray(0, count))
    return true
  })
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (!socket.destroyed) readRest(fd, buffer, take)
    return destroy(error)
  }
  return true
}

/** What the kernel still has; it moves all of that to where it can be read before it says that there is no more. */
function readRest(fd: number, buffer: Buffer, take: (bytes: Buffer) => void): void {
  try {
    for (let rest = REST_BYTES_MAX; rest > 0; ) {
      const count = readSync(fd, buffer)
      if (count === 0) return
      take(buffer.subarray(0, count))
      rest -= count
    }
  } catch {
    // EIO behind the last byte; EAGAIN where another program still has the terminal open and prints nothing now.
  }
}

function takesBuffer(handle: unknown): handle is { useUserBuffer(buffer: Uint8Array): void } {
  return typeof handle === 'object' && handle !== null && typeof Reflect.get(handle, 'useUserBuffer') === 'function'
}
