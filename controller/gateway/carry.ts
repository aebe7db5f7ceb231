import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { cleanAnswer } from './answer-headers'
import { type AnswerHead, AnswerReader } from './answer-reader'
import type { DoorPool } from './door-pool'

type Exchange = { request: IncomingMessage; response: ServerResponse }
/** `unanswered`: nothing of an answer came, so that the browser can still be told something. */
type Outcome = { isClean: boolean; error: Error | null; isUnanswered: boolean }

/**
 * Requests that may be sent twice: they change nothing, and carry nothing that is gone once it was sent. A server may end a
 * kept connection at the moment in which it is used again, and nobody can tell whether it has acted (RFC 9110, 9.2.2).
 */
const REPEATABLE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Carries one request to a door and its answer back, unbuffered. Resolves with null when the answer was given or the
 * browser left, and with the error when no answer came. An answer that breaks off is broken off for the browser too.
 */
export async function carry(exchange: Exchange, pool: DoorPool): Promise<Error | null> {
  const kept = pool.take()
  if (kept && isRepeatable(exchange.request)) {
    const { error, isUnanswered } = await over(kept, exchange, pool)
    if (!isUnanswered) return error
  } else if (kept) pool.giveBack(kept, false) // what may be sent once only gets a connection that nobody is about to end
  if (exchange.response.destroyed) return null
  const opened = await pool.open().catch((error: unknown) => (error instanceof Error ? error : new Error('no connection')))
  if (opened instanceof Error) return opened
  return (await over(opened, exchange, pool)).error
}

async function over(stream: Duplex, exchange: Exchange, pool: DoorPool): Promise<Outcome> {
  const outcome = await new Passage(stream, exchange).outcome
  pool.giveBack(stream, outcome.isClean)
  return outcome
}

function isRepeatable({ method = '', headers }: IncomingMessage): boolean {
  return REPEATABLE.includes(method) && !hasBody(headers)
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** One request and its answer on one stream. */
class Passage {
  readonly outcome: Promise<Outcome>
  readonly #stream: Duplex
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #reader: AnswerReader
  #settle: (outcome: Outcome) => void = () => undefined
  #head: AnswerHead | null = null
  #isSent = true
  #isSettled = false
  #isWaiting = false

  constructor(stream: Duplex, { request, response }: Exchange) {
    this.#stream = stream
    this.#request = request
    this.#response = response
    this.#reader = new AnswerReader(request.method ?? 'GET', {
      head: (head) => {
        this.#head = head
      },
      body: (bytes, isLast) => this.#give(bytes, isLast),
    })
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve
    })
    stream.on('data', this.#onData)
    stream.on('end', this.#onEnd)
    stream.on('error', this.#onError)
    stream.on('close', this.#onClose)
    response.on('close', this.#onLeft)
    if (response.destroyed) this.#onLeft()
    else this.#send()
  }

  #send(): void {
    const { method = 'GET', url = '/', headers } = this.#request
    let head = `${method} ${url} HTTP/1.1\r\n`
    for (const [name, value] of Object.entries(headers)) {
      for (const one of Array.isArray(value) ? value : [value]) head += `${name}: ${one}\r\n`
    }
    head += 'connection: keep-alive\r\n\r\n'
    if (hasBody(headers)) this.#sendBody(head, headers['transfer-encoding'] !== undefined)
    else this.#stream.write(head, 'latin1')
  }

  /** The head goes with the first bytes: a body that is malformed from the start reaches no workload. */
  #sendBody(head: string, isChunked: boolean): void {
    this.#isSent = false
    const [request, stream] = [this.#request, this.#stream]
    let before = head
    const write = (bytes: Buffer | null) => {
      if (this.#isSettled) return true
      const size = isChunked ? `${(bytes?.byteLength ?? 0).toString(16)}\r\n` : ''
      stream.cork()
      stream.write(`${before}${size}`, 'latin1')
      if (bytes) stream.write(bytes)
      const hasRoom = isChunked ? stream.write('\r\n') : !stream.writableNeedDrain
      stream.uncork()
      before = ''
      return hasRoom
    }
    request.on('data', (bytes: Buffer) => {
      if (write(bytes)) return
      request.pause()
      stream.once('drain', () => request.resume())
    })
    request.once('end', () => {
      if (isChunked || before !== '') write(null)
      this.#isSent = true
    })
  }

  readonly #onData = (bytes: Buffer): void => {
    try {
      this.#reader.read(bytes)
      if (this.#head && !this.#response.headersSent) this.#answer(this.#head)
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #onEnd = (): void => {
    try {
      this.#reader.end()
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #onError = (error: Error): void => this.#fail(error)
  readonly #onClose = (): void => this.#fail(new Error('the connection to a workload was closed'))
  readonly #onLeft = (): void => this.#end({ isClean: false, error: null, isUnanswered: false })

  #answer({ status, headers }: AnswerHead): void {
    cleanAnswer(headers)
    this.#response.writeHead(status, headers)
    // A head may be all that comes for a long time.
    if (!this.#reader.isDone) this.#response.flushHeaders()
  }

  #give(bytes: Buffer, isLast: boolean): void {
    if (this.#isSettled) return
    if (this.#head && !this.#response.headersSent && isLast) {
      cleanAnswer(this.#head.headers)
      this.#response.writeHead(this.#head.status, this.#head.headers)
    } else if (this.#head && !this.#response.headersSent) this.#answer(this.#head)
    if (!isLast) {
      this.#pass(bytes)
      return
    }
    this.#response.off('close', this.#onLeft)
    this.#response.end(bytes)
    this.#end({ isClean: this.#isSent && this.#reader.isReusable, error: null, isUnanswered: false })
  }

  #pass(bytes: Buffer): void {
    if (this.#response.write(bytes) || this.#isWaiting) return
    this.#isWaiting = true
    this.#stream.pause()
    this.#response.once('drain', () => {
      this.#isWaiting = false
      this.#stream.resume()
    })
  }

  #fail(cause: unknown): void {
    if (this.#isSettled) return
    const error = cause instanceof Error ? cause : new Error('a workload broke off', { cause })
    const isUnanswered = !this.#reader.hasHead && !this.#response.headersSent
    if (this.#response.headersSent) this.#response.destroy()
    this.#end({ isClean: false, error, isUnanswered })
  }

  #end(outcome: Outcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    if (!this.#isSent) this.#request.resume() // what is still uploaded is read and dropped
    this.#stream.off('data', this.#onData)
    this.#stream.off('end', this.#onEnd)
    this.#stream.off('close', this.#onClose)
    this.#response.off('close', this.#onLeft)
    // The error listener stays for a stream that is thrown away: its end is nobody's business any more.
    if (outcome.isClean) this.#stream.off('error', this.#onError)
    this.#settle(outcome)
  }
}
