import { z } from 'zod'
import { egressPolicy } from './policy'

/** Version of the messages between an agent and the machine's egress process: the current one and the one before are spoken. */
export const EGRESS_PROTOCOL = 1

/** An instance's placement id, or a build's key, as 32 hexadecimal characters: also the name of its socket. */
const egressId = z.string().regex(/^[0-9a-f]{32}$/)
const seq = z.int().min(0)

/** Agent → egress, one JSON line each; answered in order. */
export const toEgress = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('set'), seq, id: egressId, policy: egressPolicy }),
  z.strictObject({ verb: z.literal('drop'), seq, id: egressId }),
  z.strictObject({ verb: z.literal('status'), seq }),
  /** Ends the process, if nobody uses it. */
  z.strictObject({ verb: z.literal('end'), seq }),
])
export type ToEgress = z.infer<typeof toEgress>

export const fromEgress = z.strictObject({
  seq,
  ok: z.boolean(),
  protocol: z.int(),
  /** Names the copy of the code that it runs. */
  code: z.string().max(64),
  /** Instances that it serves. */
  ids: z.array(egressId),
})
export type FromEgress = z.infer<typeof fromEgress>

/** Sockets of the egress process, in the short folder of sockets. */
export function egressSockets(runtimeDir: string) {
  return { control: `${runtimeDir}/egress.sock`, dir: `${runtimeDir}/e`, of: (id: string) => `${runtimeDir}/e/${id}.sock` }
}
