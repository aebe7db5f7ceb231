import type { IncomingHttpHeaders } from 'node:http'
import { ChunkReader } from './chunk-reader'
import { hasControl } from './header-text'

/** The head of an answer, names in lower case. */
export type AnswerHead = { status: number; headers: IncomingHttpHeaders }
export type AnswerEvents = {
  head(head: AnswerHead): void
  /** Bytes of the body, in order. `isLast`: the answer is whole with them. */
  body(bytes: Buffer, isLast: boolean): void
}
type Framing = { left: number } | { chunks: ChunkReader } | 'to-the-end'

const HEAD_BYTES_MAX = 65_536
/** Answers before the answer, of which each is thrown away: nobody may go on sending them. */
const INTERIMS_MAX = 32
const END = Buffer.from('\r\n\r\n')
const NONE = Buffer.alloc(0)
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
/** Of a header that is there only once, the first counts, as everywhere in Node. */
const ONCE = new Set(['content-type', 'location', 'etag', 'last-modified', 'expires', 'retry-after', 'server', 'age'])

/**
 * Reads one HTTP/1.1 answer from a stream, strictly: what could be read in two ways breaks it, and nothing that follows
 * the answer is taken for a part of it.
 */
export class AnswerReader {
  readonly #isBodiless: boolean
  readonly #events: AnswerEvents
  #pending: Buffer = NONE
  #interims = 0
  #framing: Framing | null = null
  #isKept = false
  #isDone = false

  constructor(method: string, events: AnswerEvents) {
    this.#isBodiless = method === 'HEAD'
    this.#events = events
  }

  /** The answer is whole. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** After a whole answer: the stream may carry another one. */
  get isReusable(): boolean {
    return this.#isDone && this.#isKept
  }

  get hasHead(): boolean {
    return this.#framing !== null || this.#isDone
  }

  /** Takes bytes of the stream. Throws when they are no answer. */
  read(bytes: Buffer): void {
    if (bytes.byteLength === 0) return
    if (this.#isDone) {
      this.#isKept = false // more than was asked for: nothing on this stream can be trusted any more
      return
    }
    if (this.#framing) this.#readBody(bytes)
    else this.#readHead(this.#pending.byteLength === 0 ? bytes : Buffer.concat([this.#pending, bytes]))
  }

  /** The stream has ended. Throws when the answer is not whole. */
  end(): void {
    if (this.#isDone) return
    if (this.#framing !== 'to-the-end') throw new Error('the answer broke off')
    this.#finish(NONE)
  }

  #readHead(bytes: Buffer): void {
    const end = bytes.indexOf(END)
    if (end < 0 ? bytes.byteLength > HEAD_BYTES_MAX : end > HEAD_BYTES_MAX) throw new Error('the head of an answer is too large')
    this.#pending = end < 0 ? bytes : NONE
    if (end < 0) return
    const rest = bytes.subarray(end + END.byteLength)
    const head = parseHead(bytes.toString('latin1', 0, end))
    if (head.status < 200) {
      this.#interim(head.status, rest)
      return
    }
    this.#isKept = head.isKept
    const framing = this.#isBodiless || head.status === 204 || head.status === 304 ? { left: 0 } : framingOf(head.headers)
    if (framing === 'to-the-end') this.#isKept = false
    this.#framing = framing
    delete head.headers['transfer-encoding']
    this.#events.head(head)
    this.#readBody(rest)
  }

  /** 100 and 103 come before the answer; 101 answers what nobody asked. */
  #interim(status: number, rest: Buffer): void {
    if (status === 101) throw new Error('an upgrade that nobody asked for')
    this.#interims += 1
    if (this.#interims > INTERIMS_MAX) throw new Error('too many answers before the answer')
    if (rest.byteLength > 0) this.#readHead(rest)
  }

  #readBody(bytes: Buffer): void {
    const framing = this.#framing
    if (framing === null) return
    if (framing === 'to-the-end') {
      if (bytes.byteLength > 0) this.#events.body(bytes, false)
    } else if ('chunks' in framing) this.#readChunks(framing.chunks, bytes)
    else this.#readCounted(framing, bytes)
  }

  #readCounted(framing: { left: number }, bytes: Buffer): void {
    const own = bytes.byteLength > framing.left ? bytes.subarray(0, framing.left) : bytes
    framing.left -= own.byteLength
    if (own.byteLength < bytes.byteLength) this.#isKept = false
    if (framing.left === 0) this.#finish(own)
    else if (own.byteLength > 0) this.#events.body(own, false)
  }

  #readChunks(chunks: ChunkReader, bytes: Buffer): void {
    for (const piece of chunks.read(bytes)) this.#events.body(piece, false)
    if (chunks.leftOver) this.#isKept = false
    if (chunks.isDone) this.#finish(NONE)
  }

  #finish(bytes: Buffer): void {
    this.#isDone = true
    this.#events.body(bytes, true)
  }
}

function parseHead(text: string): AnswerHead & { isKept: boolean } {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?$/.exec(first) ?? []
  if (status === undefined) throw new Error('not an answer of HTTP/1')
  const headers: IncomingHttpHeaders = Object.create(null)
  for (const line of lines) addHeader(headers, line)
  const connection = headers.connection?.toLowerCase() ?? ''
  return { status: Number(status), headers, isKept: minor === '1' && !connection.includes('close') }
}

function addHeader(headers: IncomingHttpHeaders, line: string): void {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
  const value = line.slice(colon + 1).trim()
  if (!NAME.test(name) || hasControl(value)) throw new Error('a header of an answer is malformed')
  const known = headers[name]
  if (name === 'set-cookie') headers[name] = [...(headers['set-cookie'] ?? []), value]
  else if (known === undefined) headers[name] = value
  else if (name === 'content-length' && known !== value) throw new Error('an answer of two lengths')
  else if (name !== 'content-length' && !ONCE.has(name)) headers[name] = `${known}, ${value}`
}

function framingOf(headers: IncomingHttpHeaders): Framing {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding !== undefined) {
    if (coding !== 'chunked' || length !== undefined) throw new Error('an answer that could be read in two ways')
    return { chunks: new ChunkReader() }
  }
  if (length === undefined) return 'to-the-end'
  if (!/^\d{1,15}$/.test(length)) throw new Error('an answer of no length')
  return { left: Number(length) }
}
