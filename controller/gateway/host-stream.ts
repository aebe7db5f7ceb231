import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import {
  type FromHost,
  fromHost,
  HOST_FRAME,
  HOST_FRAME_BYTES_MAX,
  HOST_FRAME_HEADER_BYTES,
  type HostFrameType,
  type ToHost,
} from '@/protocol/host'

type HostEvents = {
  message: [FromHost]
  /** `u8, u64 seq, bytes`, as it came. The first byte is the receiver's to write in, so that passing it on needs no copy. */
  output: [Buffer]
  snapshot: [Buffer]
  /** The stream ended, or broke the protocol. Once, and the last event. */
  close: [Error | null]
}

const SEQ_BYTES = 8

/**
 * The gateway's end of a stream to a session-host: frames in, frames out. A frame that breaks the protocol ends the
 * stream, because nothing after it can be trusted to begin where it seems to.
 */
export class HostStream extends EventEmitter<HostEvents> {
  readonly #stream: Duplex
  #pieces: Buffer[] = []
  #have = 0
  #isClosed = false

  constructor(stream: Duplex) {
    super()
    this.#stream = stream
    stream.on('data', (bytes: Buffer) => this.#take(bytes))
    stream.on('error', (error) => this.#end(error))
    stream.on('end', () => this.#end(null))
    stream.on('close', () => this.#end(null))
  }

  /** Calls back once the stream can take more; at once when it can now. */
  whenWritable(then: () => void): void {
    if (this.#stream.writableNeedDrain) this.#stream.once('drain', then)
    else then()
  }

  get needsDrain(): boolean {
    return this.#stream.writableNeedDrain
  }

  say(message: ToHost): void {
    this.#write(HOST_FRAME.json, Buffer.from(JSON.stringify(message)))
  }

  /** Typed bytes, stamped with the generation that the gateway holds; never with one that a client named. */
  type(controllerGen: number, bytes: Uint8Array): void {
    const payload = Buffer.allocUnsafe(4 + bytes.byteLength)
    payload.writeUInt32BE(controllerGen, 0)
    payload.set(bytes, 4)
    this.#write(HOST_FRAME.stdin, payload)
  }

  pause(): void {
    this.#stream.pause()
  }
  resume(): void {
    this.#stream.resume()
  }
  destroy(): void {
    this.#stream.destroy()
  }

  #write(type: HostFrameType, payload: Buffer): void {
    if (this.#isClosed || !this.#stream.writable) return
    const header = Buffer.allocUnsafe(HOST_FRAME_HEADER_BYTES)
    header.writeUInt8(type, 0)
    header.writeUInt32BE(payload.byteLength, 1)
    this.#stream.write(Buffer.concat([header, payload]))
  }

  #take(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#have += bytes.byteLength
    for (let frame = this.#next(); frame !== null && !this.#isClosed; frame = this.#next()) this.#give(frame)
  }

  /** The next whole frame, header and all, or null while it is incomplete. */
  #next(): Buffer | null {
    if (this.#have < HOST_FRAME_HEADER_BYTES) return null
    if ((this.#pieces[0]?.byteLength ?? 0) < HOST_FRAME_HEADER_BYTES) this.#join()
    const length = this.#pieces[0]?.readUInt32BE(1) ?? 0
    if (length > HOST_FRAME_BYTES_MAX + SEQ_BYTES) {
      this.#end(new Error('frame of a session-host is too large'))
      return null
    }
    const whole = HOST_FRAME_HEADER_BYTES + length
    if (this.#have < whole) return null
    if ((this.#pieces[0]?.byteLength ?? 0) < whole) this.#join()
    const first = this.#pieces[0] ?? Buffer.alloc(0)
    this.#pieces = first.byteLength > whole ? [first.subarray(whole), ...this.#pieces.slice(1)] : this.#pieces.slice(1)
    this.#have -= whole
    return first.subarray(0, whole)
  }

  #join(): void {
    this.#pieces = [Buffer.concat(this.#pieces)]
  }

  #give(frame: Buffer): void {
    const type = frame.readUInt8(0)
    const withRoom = frame.subarray(HOST_FRAME_HEADER_BYTES - 1)
    if (type === HOST_FRAME.json) this.#giveMessage(withRoom.subarray(1))
    else if (withRoom.byteLength < 1 + SEQ_BYTES) this.#end(new Error('frame of a session-host is too short'))
    else if (type === HOST_FRAME.output) this.emit('output', withRoom)
    else if (type === HOST_FRAME.snapshot) this.emit('snapshot', withRoom)
    else this.#end(new Error('unknown frame of a session-host'))
  }

  #giveMessage(payload: Buffer): void {
    let value: unknown
    try {
      value = JSON.parse(payload.toString('utf8'))
    } catch (cause) {
      this.#end(new Error('message of a session-host is no JSON', { cause }))
      return
    }
    const message = fromHost.safeParse(value)
    if (message.success) this.emit('message', message.data)
    else this.#end(new Error('message of a session-host breaks the protocol'))
  }

  #end(error: Error | null): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stream.destroy()
    this.emit('close', error)
  }
}
