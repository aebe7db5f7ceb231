import { z } from 'zod'
import { DRIVER_ROWS } from './drivers'
import { rowId } from './ids'
import { KIND_NAMES } from './kinds'
import { LIMITS } from './limits'
import { hostPath, mounts } from './mounts'

const bytes = z.int().min(0)

/** What a machine remembers of an instance that the store does not know: enough to take it into the store again. */
export const orphanSpec = z.object({
  tenantId: rowId,
  ownerId: rowId,
  kind: z.enum(KIND_NAMES),
  runtime: z.string().min(1).max(60),
  driver: z.enum(DRIVER_ROWS),
  cpus: z.int().min(1),
  memoryBytes: bytes,
  diskBytes: bytes,
  /** UUIDs of its GPUs. */
  devices: z.array(z.string().max(120)).max(LIMITS.gpusMax),
  command: z.array(z.string().max(LIMITS.commandArgChars)).max(LIMITS.commandArgsMax).nullable(),
  requirements: z.array(z.string().max(LIMITS.requirementChars)).max(LIMITS.requirementsMax),
  mounts: mounts.default([]),
  python: hostPath.nullable().default(null),
})
export type OrphanSpec = z.infer<typeof orphanSpec>

/** What a person decided about an orphan. Adopting it takes it out of the list at once; stopping it waits for its machine. */
export const ORPHAN_DECISIONS = ['stop'] as const
export type OrphanDecision = (typeof ORPHAN_DECISIONS)[number]
