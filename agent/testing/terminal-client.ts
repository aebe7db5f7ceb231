import { connect } from 'node:net'
import type { FromHost, ToHost } from '@/protocol/host'
import { fromHost, HOST_FRAME, HOST_FRAME_HEADER_BYTES } from '@/protocol/host'
import { FrameDecoder } from '../host/frames'

type Wanted = { text?: string; message?: FromHost['type']; seq?: number }

/** A stream on a `terminal` door, for tests: collects what arrives and waits for it. */
export class TerminalClient {
  readonly messages: FromHost[] = []
  snapshot: { seq: number; data: Buffer } | null = null
  output: Buffer = Buffer.alloc(0)
  /** Offset of the first output byte, and of the next one. */
  from: number | null = null
  next = 0
  isClosed = false
  readonly #socket
  readonly #decoder = new FrameDecoder()
  readonly #waiting = new Set<() => void>()

  constructor(path: string) {
    this.#socket = connect(path)
    this.#socket.on('data', (chunk: Buffer) => this.#received(chunk))
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
  }

  send(message: ToHost): this {
    this.#frame(HOST_FRAME.json, Buffer.from(JSON.stringify(message)))
    return this
  }

  attach(since?: number): this {
    return this.send({
      ...{ type: 'attach', protocol: 1, attachmentId: 'test', mode: 'control', cols: 80, rows: 24 },
      ...(since === undefined ? {} : { since }),
    })
  }

  type(controllerGen: number, text: string): this {
    const gen = Buffer.alloc(4)
    gen.writeUInt32BE(controllerGen)
    this.#frame(HOST_FRAME.stdin, Buffer.concat([gen, Buffer.from(text)]))
    return this
  }

  raw(bytes: Buffer): this {
    this.#socket.write(bytes)
    return this
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Resolves when it has come; rejects after `timeoutMs` with what came instead. */
  async until(wanted: Wanted, timeoutMs = 60_000): Promise<this> {
    const end = Date.now() + timeoutMs
    while (!this.#has(wanted)) {
      const left = end - Date.now()
      if (left <= 0 || this.isClosed) throw new Error(`waited for ${JSON.stringify(wanted)}, saw ${this.#seen()}`)
      await this.#change(left)
    }
    return this
  }

  #has({ text, message, seq }: Wanted): boolean {
    if (text !== undefined && !this.output.includes(text)) return false
    if (message !== undefined && !this.messages.some((m) => m.type === message)) return false
    return seq === undefined || this.next >= seq
  }

  #seen(): string {
    return JSON.stringify({ messages: this.messages, output: this.output.toString().slice(-400), isClosed: this.isClosed })
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      this.#waiting.add(done)
    })
  }

  #received(chunk: Buffer): void {
    for (const { type, payload } of this.#decoder.push(chunk)) {
      if (type === HOST_FRAME.json) this.messages.push(fromHost.parse(JSON.parse(payload.toString())))
      else this.#data(type, Number(payload.readBigUInt64BE(0)), payload.subarray(8))
    }
    this.#wake()
  }

  #data(type: number, seq: number, bytes: Buffer): void {
    if (type === HOST_FRAME.snapshot) {
      this.snapshot = { seq, data: bytes }
      return
    }
    this.from ??= seq
    this.output = Buffer.concat([this.output, bytes])
    this.next = seq + bytes.byteLength
  }

  #wake(): void {
    for (const done of this.#waiting) done()
  }

  #frame(type: number, payload: Buffer): void {
    const head = Buffer.alloc(HOST_FRAME_HEADER_BYTES)
    head.writeUInt8(type, 0)
    head.writeUInt32BE(payload.byteLength, 1)
    this.#socket.write(Buffer.concat([head, payload]))
  }
}
