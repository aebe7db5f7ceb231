import type { Duplex } from 'node:stream'
import { parsePort } from './paths'

/** Answers of the `ports` door to its first line: the port is open and what follows is its own, or it is not. */
export const PORT_OPEN = '+'
export const PORT_CLOSED = '-'
const LINE_BYTES_MAX = 6

/** Asks a fresh stream to the `ports` door for one port. False when nothing listens there, or it is not given away. */
export async function askPort(stream: Duplex, port: number, signal: AbortSignal): Promise<boolean> {
  stream.write(`${port}\n`)
  const answer = await firstBytes(stream, 1, signal)
  return answer?.toString('latin1') === PORT_OPEN
}

/** Reads the first line of a stream; null when it is no port, ends early or does not come in time. */
export async function readPort(stream: Duplex, signal: AbortSignal): Promise<number | null> {
  let line = ''
  while (!line.endsWith('\n') && line.length < LINE_BYTES_MAX) {
    const byte = await firstBytes(stream, 1, signal)
    if (byte === null) return null
    line += byte.toString('latin1')
  }
  return line.endsWith('\n') ? parsePort(line.slice(0, -1)) : null
}

/** So many bytes, and not one more: the rest of the stream belongs to somebody else. */
function firstBytes(stream: Duplex, count: number, signal: AbortSignal): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const settle = (bytes: Buffer | null) => {
      stream.off('readable', look)
      stream.off('close', end)
      stream.off('end', end)
      stream.off('error', end)
      signal.removeEventListener('abort', end)
      resolve(bytes)
    }
    const end = () => settle(null)
    const look = () => {
      const bytes: unknown = stream.read(count)
      if (Buffer.isBuffer(bytes)) settle(bytes)
    }
    stream.on('readable', look)
    stream.on('close', end)
    stream.on('end', end)
    stream.on('error', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    else look()
  })
}
