import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { execCommand, startFault, terminalMode } from './terminal'

/**
 * Gateway ↔ session-host on the `terminal` door: a stream of frames `u8 type, u32 length (big-endian), payload`.
 * json: one message below. output, snapshot: `u64 seq, bytes`. stdin: `u32 controllerGen, bytes`; executed only when
 * binding = frame = current generation and this stream is the bound one.
 */
export const HOST_FRAME = { json: 0, output: 1, snapshot: 2, stdin: 3 } as const
export type HostFrameType = (typeof HOST_FRAME)[keyof typeof HOST_FRAME]
/** A frame's head: its type in one byte, then its length in four. */
export const HOST_FRAME_HEADER_BYTES = 5
export const HOST_FRAME_BYTES_MAX = 1_048_576

const size = { cols: z.int().min(2).max(LIMITS.terminalColsMax), rows: z.int().min(1).max(LIMITS.terminalRowsMax) }
const gen = z.int().min(0)
const seq = z.int().min(0)

/** Gateway → session-host. `attach` comes first on each stream. */
export const toHost = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('attach'),
    protocol: z.int(),
    attachmentId: z.string().max(64),
    mode: terminalMode,
    /** From this byte on; absent: a snapshot of the screen, then what follows. */
    since: seq.optional(),
    ...size,
  }),
  /** Makes this stream the only one whose input counts, at this generation. Refused unless it is above the current one. */
  z.strictObject({ type: z.literal('bind'), controllerGen: gen }),
  z.strictObject({ type: z.literal('unbind'), controllerGen: gen }),
  z.strictObject({ type: z.literal('resize'), controllerGen: gen, ...size }),
  z.strictObject({ type: z.literal('ack'), seq }),
  /** In the place of `attach`: runs a command beside the program. Its output comes as `output`, its end as `exit`. */
  z.strictObject({ type: z.literal('exec'), protocol: z.int(), attachmentId: z.string().max(64), command: execCommand }),
  /** No more input for the command. */
  z.strictObject({ type: z.literal('eof') }),
])
export type ToHost = z.infer<typeof toHost>

/** Session-host → gateway. */
export const fromHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('attached'), workloadGen: gen, controllerGen: gen, endSeq: seq, ...size }),
  z.strictObject({ type: z.literal('bound'), controllerGen: gen }),
  z.strictObject({ type: z.literal('stale'), controllerGen: gen }),
  z.strictObject({ type: z.literal('snapshot'), seq, ...size }),
  z.strictObject({ type: z.literal('size'), ...size }),
  z.strictObject({ type: z.literal('gap'), from: seq, to: seq }),
  /** `fault`: of a command that never began. */
  z.strictObject({ type: z.literal('exit'), code: z.int().nullable(), fault: startFault.optional() }),
  z.strictObject({ type: z.literal('refused'), why: z.enum(['protocol', 'malformed', 'not_attached', 'too_large', 'busy']) }),
])
export type FromHost = z.infer<typeof fromHost>

/**
 * `host.json` beside a session-host: how a new agent finds it again. Start times are the kernel's, so that a reused pid is
 * told. A host of a later version may say more: what is not known is dropped, never a reason to lose it.
 */
export const hostFile = z.object({
  protocol: z.int(),
  placementId: z.uuid(),
  workloadId: z.uuid(),
  workloadGen: z.int().min(1),
  bootId: z.string().max(80),
  hostPid: z.int().min(1),
  hostStart: z.string().max(40),
  childPid: z.int().min(1).nullable(),
  childStart: z.string().max(40).nullable(),
  /** Set once the main process ended. */
  exitCode: z.int().nullable(),
  /** Beside the exit code, of a program that never began. */
  startFault: startFault.optional(),
  kind: z.enum(['terminal', 'service']),
})
export type HostFile = z.infer<typeof hostFile>
