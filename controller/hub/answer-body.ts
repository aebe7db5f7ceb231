import type { ClientHttp2Stream } from 'node:http2'
import { Readable } from 'node:stream'

export type BodyBounds = {
  /** More bytes than this end it in an error. */
  bytesMax: number
  /** Longest time without a byte while somebody waits for one; null: as long as the tunnel lives. */
  quietMs: number | null
  /** Lets go of a stream that has not ended by itself. */
  letGo: (stream: ClientHttp2Stream) => void
}

/** The body of a streamed answer of an agent. One that was cut, is too long or stands still ends in an error, never in a clean end. */
export class AnswerBody extends Readable {
  readonly #stream: ClientHttp2Stream
  readonly #bounds: BodyBounds
  #bytes = 0
  #hasEnded = false
  #quiet: NodeJS.Timeout | undefined

  constructor(stream: ClientHttp2Stream, bounds: BodyBounds) {
    super()
    this.#stream = stream
    this.#bounds = bounds
    stream.on('data', this.#onData)
    stream.on('end', this.#onEnd)
    stream.on('error', this.#onError)
    stream.on('close', this.#onClose)
    stream.pause()
    // Its end may have come together with its head: then no event tells of it any more.
    if (stream.destroyed) setImmediate(stream.readableEnded ? this.#onEnd : this.#onClose)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bounds.bytesMax) {
      this.destroy(new Error(`the answer has more than ${this.#bounds.bytesMax} bytes`))
    } else if (this.push(chunk)) this.#wait()
    else {
      // A slow reader is not a silent machine.
      clearTimeout(this.#quiet)
      this.#stream.pause()
    }
  }
  readonly #onEnd = (): void => {
    this.#hasEnded = !this.#stream.rstCode
    if (this.#hasEnded) this.push(null)
    else this.#cut()
  }
  readonly #onError = (error: Error): void => {
    this.destroy(new Error('tunnel failed', { cause: error }))
  }
  readonly #onClose = (): void => {
    if (!this.#hasEnded) this.#cut()
  }

  #cut(): void {
    this.destroy(new Error(`answer cut short with code ${this.#stream.rstCode}`))
  }

  #wait(): void {
    const { quietMs } = this.#bounds
    clearTimeout(this.#quiet)
    if (quietMs === null || this.#hasEnded) return
    this.#quiet = setTimeout(() => this.destroy(new Error(`no byte of the answer for ${quietMs} ms`)), quietMs)
  }

  override _read(): void {
    this.#wait()
    this.#stream.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const stream = this.#stream
    clearTimeout(this.#quiet)
    stream.off('data', this.#onData)
    stream.off('end', this.#onEnd)
    stream.off('close', this.#onClose)
    stream.off('error', this.#onError)
    if (!this.#hasEnded) this.#bounds.letGo(stream)
    done(error)
  }
}
