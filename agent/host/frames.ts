import type { FromHost, HostFrameType, ToHost } from '@/protocol/host'
import { HOST_FRAME, HOST_FRAME_BYTES_MAX, HOST_FRAME_HEADER_BYTES, toHost } from '@/protocol/host'

/** One frame of the `terminal` door as it arrived. */
export type HostFrame = { type: number; payload: Buffer }

const SEQ_BYTES = 8
/** What stands before the bytes of an output or snapshot frame. */
export const DATA_HEADER_BYTES = HOST_FRAME_HEADER_BYTES + SEQ_BYTES

/** A json frame of the session-host. */
export function jsonFrame(message: FromHost): Buffer {
  return frame(HOST_FRAME.json, Buffer.from(JSON.stringify(message)))
}

/** What a json frame to the session-host says; null when it is no message. */
export function readJson(payload: Buffer): ToHost | null {
  try {
    const parsed = toHost.safeParse(JSON.parse(payload.toString()))
    return parsed.success ? parsed.data : null
  } catch {
    return null // Not JSON at all.
  }
}

/** Header of an output or snapshot frame; `bytes` follow it unchanged, so that they need no copy. */
export function dataHeader(type: HostFrameType, seq: number, bytes: number): Buffer {
  const head = Buffer.allocUnsafe(DATA_HEADER_BYTES)
  head.writeUInt8(type, 0)
  head.writeUInt32BE(SEQ_BYTES + bytes, 1)
  head.writeBigUInt64BE(BigInt(seq), HOST_FRAME_HEADER_BYTES)
  return head
}

function frame(type: HostFrameType, payload: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HOST_FRAME_HEADER_BYTES)
  head.writeUInt8(type, 0)
  head.writeUInt32BE(payload.byteLength, 1)
  return Buffer.concat([head, payload])
}

/** Cuts a byte stream into frames. A frame above the limit ends it: `tooLarge` stays true and nothing more is read. */
export class FrameDecoder {
  tooLarge = false
  #pending: Buffer = Buffer.alloc(0)

  /** The frames that this chunk completed, in order. */
  push(chunk: Buffer): HostFrame[] {
    if (this.tooLarge) return []
    this.#pending = this.#pending.byteLength === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const frames: HostFrame[] = []
    while (this.#pending.byteLength >= HOST_FRAME_HEADER_BYTES) {
      const length = this.#pending.readUInt32BE(1)
      if (length > HOST_FRAME_BYTES_MAX) {
        this.tooLarge = true
        this.#pending = Buffer.alloc(0)
        break
      }
      const end = HOST_FRAME_HEADER_BYTES + length
      if (this.#pending.byteLength < end) break
      frames.push({ type: this.#pending.readUInt8(0), payload: this.#pending.subarray(HOST_FRAME_HEADER_BYTES, end) })
      this.#pending = this.#pending.subarray(end)
    }
    return frames
  }
}
