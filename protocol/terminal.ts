import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { storedReason } from '@/domain/workloads'

/**
 * Browser or CLI ↔ gateway, on `ws://io.<dashboard>/terminal`. Text frames are JSON of these shapes; binary frames are
 * data: `u8 kind, u64 seq (big-endian), bytes`. `seq` is the byte offset since this `workloadGen` began; 0 on stdin.
 */
export const FRAME = { output: 1, snapshot: 2, stdin: 3 } as const
export type FrameKind = (typeof FRAME)[keyof typeof FRAME]
export const FRAME_HEADER_BYTES = 9

const size = { cols: z.int().min(2).max(LIMITS.terminalColsMax), rows: z.int().min(1).max(LIMITS.terminalRowsMax) }
const gen = z.int().min(0)
const seq = z.int().min(0)
/** Whether a window may type. */
export const terminalMode = z.enum(['control', 'view'])
export type TerminalMode = z.infer<typeof terminalMode>

/** A command and its arguments, never a line for a shell. */
export const execCommand = z.array(z.string().max(LIMITS.commandArgChars)).min(1).max(LIMITS.commandArgsMax)

/** Why a program never began: there is none of that name, or what has it cannot be executed. */
export const startFault = z.enum(['command_missing', 'command_refused'])
export type StartFault = z.infer<typeof startFault>

/** Window → gateway, as JSON text. */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    protocol: z.int(),
    ticket: z.string().max(100),
    mode: terminalMode,
    /** Control only if the generation is still this one. */
    expected: gen.optional(),
    since: z.strictObject({ workloadGen: gen, seq }).optional(),
    /** Runs this beside the terminal, with a ticket for `exec`, instead of attaching to it. */
    command: execCommand.optional(),
    ...size,
  }),
  z.strictObject({ type: z.literal('resize'), ...size }),
  z.strictObject({ type: z.literal('claim'), expected: gen }),
  z.strictObject({ type: z.literal('release') }),
  z.strictObject({ type: z.literal('ack'), seq }),
  /** Of a command: its input has ended. */
  z.strictObject({ type: z.literal('eof') }),
])
export type ClientMessage = z.infer<typeof clientMessage>

/** Gateway → window, as JSON text. */
export const serverMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('attached'), mode: terminalMode, controllerGen: gen, workloadGen: gen }),
  z.strictObject({ type: z.literal('snapshot'), seq, ...size }),
  z.strictObject({ type: z.literal('size'), ...size }),
  z.strictObject({ type: z.literal('gap'), from: seq, to: seq }),
  /** `fault`: of a command that never began. */
  z.strictObject({ type: z.literal('exit'), code: z.int().nullable(), fault: startFault.optional() }),
  z.strictObject({ type: z.literal('stale'), controllerGen: gen }),
  z.strictObject({ type: z.literal('control_changed'), mode: terminalMode, controllerGen: gen }),
  /** Who is here: how many watch besides this attachment, and who types (null: nobody). */
  z.strictObject({ type: z.literal('presence'), viewers: z.int().min(0), controller: z.string().max(80).nullable() }),
  z.strictObject({ type: z.literal('notice'), reason: storedReason }),
])
export type ServerMessage = z.infer<typeof serverMessage>

/** One binary frame; works in browsers and Node. */
export function encodeFrame(kind: FrameKind, at: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(FRAME_HEADER_BYTES + bytes.byteLength)
  const view = new DataView(out.buffer)
  view.setUint8(0, kind)
  view.setBigUint64(1, BigInt(at))
  out.set(bytes, FRAME_HEADER_BYTES)
  return out
}

/** Reads one binary frame; null when it is too short or of an unknown kind. */
export function decodeFrame(data: Uint8Array): { kind: FrameKind; seq: number; bytes: Uint8Array } | null {
  if (data.byteLength < FRAME_HEADER_BYTES) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const kind = view.getUint8(0)
  if (kind !== FRAME.output && kind !== FRAME.snapshot && kind !== FRAME.stdin) return null
  const at = view.getBigUint64(1)
  if (at > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return { kind, seq: Number(at), bytes: data.subarray(FRAME_HEADER_BYTES) }
}
