import { z } from 'zod'
import { DRIVER_ROWS } from './drivers'
import { LIMITS } from './limits'

const shortText = z.string().max(120)
const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A GPU as its machine measures it. `class` is a row of the catalog, or null when none fits. */
const device = z.strictObject({
  index: z.int().min(0).max(63),
  uuid: shortText,
  name: shortText,
  class: shortText.nullable(),
  memoryBytes: bytes,
  memoryUsedBytes: bytes,
  state: z.enum(['free', 'busy', 'foreign', 'wedged']),
  /** Share of its time that it computed, 0 to 1, over the last sample. */
  use: z.number().min(0).max(1),
})
export type Device = z.infer<typeof device>

/** What a driver row offers on this machine, and in one sentence what is missing when it does not work. */
export const driverOffer = z.strictObject({
  row: z.enum(DRIVER_ROWS),
  works: z.boolean(),
  detail: shortText.nullable(),
  fix: z.string().max(300).nullable(),
  canPause: z.boolean(),
})
export type DriverOffer = z.infer<typeof driverOffer>
/** What a runtime of the catalog needs here: ready, or why not and which command helps. */
export const runtimeOffer = z.strictObject({
  runtime: shortText,
  works: z.boolean(),
  detail: shortText.nullable(),
  fix: z.string().max(300).nullable(),
})
export type RuntimeOffer = z.infer<typeof runtimeOffer>

/** A package registry that a machine's own tools name: what runs there reaches exactly this host and port. */
export const registryHost = z.strictObject({ host: z.string().max(253), port: z.int().min(1).max(65_535) })
export type RegistryHost = z.infer<typeof registryHost>

/** Bounded and validated before it is stored: an agent is not trusted. Sizes in bytes, CPUs in cores. */
export const inventory = z.strictObject({
  os: shortText,
  arch: shortText,
  hostname: shortText,
  cpus: z.int().min(1).max(4096),
  cpuModel: shortText,
  memoryBytes: bytes,
  diskBytes: bytes,
  diskFreeBytes: bytes,
  devices: z.array(device).max(LIMITS.inventoryDevices),
  drivers: z.array(driverOffer).max(8),
  runtimes: z.array(runtimeOffer).max(32),
  /** Limits that the machine can enforce; what is absent is said to be "not enforced". */
  enforces: z.array(z.enum(['cpu', 'memory', 'pids', 'disk'])).max(4),
  tools: z.record(z.string().max(32), shortText).refine((t) => Object.keys(t).length <= 32, 'at most 32 tools'),
  /** Absent where an agent does not say. */
  registries: z.array(registryHost).max(LIMITS.registries).optional(),
  agentVersion: shortText,
})
export type Inventory = z.infer<typeof inventory>

/** Use of the machine at one moment; a ring of these is kept. */
export const machineUse = z.strictObject({
  cpu: z.number().min(0).max(1),
  memoryBytes: bytes,
  diskFreeBytes: bytes,
})
export type MachineUse = z.infer<typeof machineUse>

/** Use of one instance over the last seconds: CPU in cores, memory in bytes, and each assigned GPU as it measures itself. */
export const instanceUse = z.strictObject({
  cpu: z.number().min(0).max(4096),
  memoryBytes: bytes,
  diskBytes: bytes.nullable(),
  gpus: z
    .array(z.strictObject({ uuid: shortText, use: z.number().min(0).max(1), memoryBytes: bytes }))
    .max(LIMITS.inventoryDevices),
})
export type InstanceUse = z.infer<typeof instanceUse>

export type Machine = {
  id: string
  tenantId: string
  ownerId: string
  name: string
  region: string
  sharing: 'owner' | 'tenant' | 'invited' | 'everyone'
  mountRoots: readonly string[]
  state: 'active' | 'draining' | 'suspect'
  inventory: Inventory | null
  bootId: string | null
  /** Connection generation: rises with every connection of this machine. */
  machineGen: number
  lastContactAt: Date | null
  isConnected: boolean
  createdAt: Date
}
