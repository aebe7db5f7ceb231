import { constants, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Log } from '@/kit/log'
import { type Door, parseAuthority } from '@/protocol/paths'

/** Finds a door of an instance that this machine holds; null when it does not hold it. */
export type OpenDoor = (placementId: string, door: Door, signal: AbortSignal) => Promise<Duplex | null>

const CONNECT_MS = 10_000
/** How long a door may still send after the controller's side has ended; then the agent resets, which the controller never does. */
const LINGER_MS = 2000

/** Serves one CONNECT stream: `<placementId>.<door>`. 400: no such form. 404: not held here. 502: the door does not open. */
export async function serveDoor(
  authority: string,
  response: Http2ServerResponse,
  about: { open: OpenDoor; log: Log },
): Promise<void> {
  const { stream } = response
  const target = parseAuthority(authority)
  if (!target) return refuse(stream, 400)
  const closing = new AbortController()
  stream.once('close', () => closing.abort())
  try {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONNECT_MS)])
    const door = await about.open(target.placementId, target.door, signal)
    if (!door) refuse(stream, 404)
    else if (stream.closed || stream.destroyed) door.destroy()
    else join(stream, door)
  } catch (error) {
    about.log.debug('door did not open', { placementId: target.placementId, door: target.door, error })
    refuse(stream, 502)
  }
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  if (stream.closed || stream.destroyed) return
  stream.on('error', () => undefined) // it may end while the answer is on its way; nobody waits for it then
  stream.respond({ ':status': status }, { endStream: true })
  stream.resume()
}

/** Bytes both ways. A door that breaks destroys the stream: closing it would first send a clean end, and the other end would take a cut body for a whole one. */
function join(stream: ServerHttp2Stream, door: Duplex): void {
  stream.on('error', () => door.destroy())
  stream.respond({ ':status': 200 })
  door.pipe(stream)
  stream.pipe(door)
  door.on('error', (error) => stream.destroy(error))
  door.on('close', () => {
    if (!door.readableEnded) stream.destroy(new Error('the door broke'))
  })
  stream.on('end', () => {
    const linger = setTimeout(() => {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL)
      door.destroy()
    }, LINGER_MS)
    stream.once('close', () => clearTimeout(linger))
  })
  for (const event of ['aborted', 'close']) stream.on(event, () => door.destroy())
}
