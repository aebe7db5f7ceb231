import { createHash } from 'node:crypto'
import { z } from 'zod'
import { heavyHosts, refusedHosts } from '@/domain/refusals'
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

/** Egress → agent. One of another version may say less or more: what is not said counts as unknown, what is not known is dropped. */
export const fromEgress = z.object({
  seq,
  ok: z.boolean(),
  /** 0: of a build that did not say. */
  protocol: z.int().default(0),
  /** Names the copy of the code that it runs; empty: of a build that did not say. */
  code: z.string().max(64).default(''),
  /** Instances that it serves; null: not said. */
  ids: z.array(egressId).nullable().default(null),
  /** What each was refused since it was set; only those with something, and only in answer to `status`. */
  refused: z.array(z.object({ id: egressId, hosts: refusedHosts })).default([]),
  /** The same for hosts to which each sent more than the bound of the alarm. */
  heavy: z.array(z.object({ id: egressId, hosts: heavyHosts })).default([]),
})
export type FromEgress = z.infer<typeof fromEgress>

/** May an agent of this build rely on what that process understands? */
export function isSpoken(protocol: number): boolean {
  return protocol === EGRESS_PROTOCOL || protocol === EGRESS_PROTOCOL - 1
}

/**
 * Sockets of the egress process, in the short folder of sockets. Two installations may share that folder: the control
 * socket carries the state directory in its name, so that each speaks to its own process.
 */
export function egressSockets(runtimeDir: string, stateDir: string) {
  const owner = createHash('sha256').update(stateDir).digest('hex').slice(0, 12)
  return {
    control: `${runtimeDir}/egress-${owner}.sock`,
    dir: `${runtimeDir}/e`,
    of: (id: string) => `${runtimeDir}/e/${id}.sock`,
  }
}
