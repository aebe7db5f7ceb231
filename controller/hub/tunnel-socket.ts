import { type ClientHttp2Stream, constants } from 'node:http2'
import { Duplex } from 'node:stream'

/** How long an abandoned stream is drained before it is reset after all: the last resort for an agent that hangs. */
const ABANDON_MS = 10_000

/**
 * One CONNECT stream as a socket. `destroy()` never resets the stream: it half-closes and drains, and the agent resets.
 * About a thousand quick resets from this end would make the agent's HTTP/2 server end the whole tunnel. A stream that
 * was cut ends in an error, never in a clean end.
 */
export class TunnelSocket extends Duplex {
  readonly #stream: ClientHttp2Stream
  constructor(stream: ClientHttp2Stream) {
    super({ allowHalfOpen: true, decodeStrings: false })
    this.#stream = stream
    stream.on('data', this.#onData)
    stream.on('end', this.#onEnd)
    stream.on('error', this.#onError)
    stream.on('close', this.#onClose)
    // Its end may have come together with its head: then no event tells of it any more.
    if (stream.destroyed) setImmediate(this.#onClose)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#stream.pause()
  }
  readonly #onEnd = (): void => {
    if (this.#stream.rstCode) this.destroy(this.#cut())
    else this.push(null)
  }
  readonly #onError = (error: Error): void => {
    this.destroy(new Error('tunnel failed', { cause: error }))
  }
  readonly #onClose = (): void => {
    if (!this.readableEnded && this.#stream.rstCode) this.destroy(this.#cut())
    else if (!this.writableFinished) this.destroy()
  }

  #cut(): Error {
    return new Error(`tunnel cut short with code ${this.#stream.rstCode}`)
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const stream = this.#stream
    const isGone = () => stream.closed || stream.destroyed
    const settle = () => {
      stream.off('drain', settle)
      stream.off('close', settle)
      done(isGone() ? new Error('tunnel closed') : null)
    }
    if (isGone() || stream.writableEnded) done(new Error('tunnel closed'))
    else if (stream.write(chunk, encoding)) done()
    else {
      stream.on('drain', settle)
      stream.on('close', settle)
    }
  }

  override _final(done: () => void): void {
    this.#stream.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const stream = this.#stream
    stream.off('data', this.#onData)
    stream.off('end', this.#onEnd)
    stream.off('close', this.#onClose)
    stream.off('error', this.#onError)
    abandon(stream)
    done(error)
  }

  // What `http` calls on its sockets; a tunnel has nothing to set.
  setKeepAlive(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/** Lets go of a stream without a reset: ends this side and drains the other until the agent closes it. */
export function abandon(stream: ClientHttp2Stream): void {
  stream.on('error', () => undefined) // nobody reads it any more
  if (stream.closed || stream.destroyed) return
  if (!stream.writableEnded) stream.end()
  stream.resume()
  const lastResort = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ABANDON_MS)
  lastResort.unref()
  stream.once('close', () => clearTimeout(lastResort))
}
