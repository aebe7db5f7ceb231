import { z } from 'zod'
import { DRIVER_ROWS } from '@/domain/drivers'
import { FOLDER_CAUSE_NAMES } from '@/domain/folder-causes'
import { instance, rowId } from '@/domain/ids'
import { KIND_NAMES } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { instanceUse, inventory, machineUse } from '@/domain/machines'
import { mounts } from '@/domain/mounts'
import { heavyHosts, refusedHosts } from '@/domain/refusals'
import { progress, WANTS } from '@/domain/workloads'
import { startFault } from './terminal'

const host = z.string().max(253)

/**
 * What one instance should be on its machine. An instance that a machine has and this list lacks is left alone:
 * it goes on running (quarantine) if it runs, and is forgotten, workspace kept, if it is stopped.
 */
export const desiredInstance = instance.extend({
  tenantId: rowId,
  /** Owner of the workload: a root agent gives each (tenant, person) one uid. */
  ownerId: rowId,
  kind: z.enum(KIND_NAMES),
  runtime: z.string().max(60),
  driver: z.enum(DRIVER_ROWS),
  want: z.enum(WANTS),
  cpus: z.int().min(1),
  memoryBytes: z.int().min(0),
  diskBytes: z.int().min(0),
  /** UUIDs of the assigned GPUs. */
  devices: z.array(z.string().max(120)).max(LIMITS.gpusMax),
  command: z.array(z.string().max(LIMITS.commandArgChars)).max(LIMITS.commandArgsMax).nullable(),
  /** Pinned server packages of the runtime, and the user's packages of the kernel environment. */
  server: z.array(z.string().max(100)).max(32),
  requirements: z.array(z.string().max(LIMITS.requirementChars)).max(LIMITS.requirementsMax),
  /** Folders of the machine to show inside; the machine resolves and checks them again. */
  mounts: mounts.default([]),
  /** An existing interpreter as the kernel of a notebook. */
  python: z.string().max(LIMITS.pathChars).nullable().default(null),
  /** Folders below which mounts and interpreters may lie. */
  mountRoots: z.array(z.string().max(LIMITS.pathChars)).max(LIMITS.mountRootsMax).default([]),
  egress: z.strictObject({ open: z.boolean(), allow: z.array(host).max(500) }),
  /** A workspace must exist already (resume); without it the start fails with `workspace_missing`. */
  needsWorkspace: z.boolean(),
  /** The machine acknowledged this instance before: if it is absent now it is gone, and is never started again under this placement. */
  isAcked: z.boolean().optional(),
})
export type DesiredInstance = z.infer<typeof desiredInstance>

/** Fixed codes of what a machine may say about an instance. Foreign text stays in its log. */
export const OBSERVATION_CODES = [
  'ok',
  'no_capacity',
  'driver_missing',
  'workspace_missing',
  'no_python',
  'environment_failed',
  'start_failed',
  'process_ended',
  'out_of_memory',
  'disk_full',
  'stop_forced',
  'mount_refused',
  'python_unusable',
  /** The program of its command is not there, or cannot be executed. */
  ...startFault.options,
  /** `stop --all` ended it, in order: nobody parked it, and nothing broke. */
  'ended_with_berth',
] as const
export type ObservationCode = (typeof OBSERVATION_CODES)[number]

/** Why a folder was not shown, and the user who would need it; null for the machine's own account. */
export const folderRefused = z.strictObject({ cause: z.enum(FOLDER_CAUSE_NAMES), uid: z.int().min(0).nullable() })
export type FolderRefused = z.infer<typeof folderRefused>

const observedInstance = instance.extend({
  status: z.enum(['starting', 'running', 'paused', 'stopping', 'stopped', 'removed', 'failed']),
  code: z.enum(OBSERVATION_CODES),
  /** The package that broke an environment (a PEP 508 name), or the folder, interpreter or program that was refused; never free text. */
  subject: z.string().max(LIMITS.pathChars).nullable(),
  /** Beside `mount_refused`. */
  folderRefused: folderRefused.optional(),
  progress: progress.nullable(),
  /** Exit code of the main process once it ended; null until then. */
  exitCode: z.int().nullable(),
  hasWorkspace: z.boolean(),
  /** It failed, and nothing of it runs any more, proven: there is nothing to look at. */
  isGone: z.boolean().optional(),
  /** Its use over the last seconds; null or absent where the machine cannot tell. */
  use: instanceUse.nullable().optional(),
  /** Did something happen inside since the last answer? Null or absent: not known, which counts as busy. */
  isBusy: z.boolean().nullable().optional(),
  /** It runs in code that is more than one version behind: it goes on, and only its own restart brings it up to date. */
  needsRestart: z.boolean().optional(),
  /** Hosts that it was refused since it started, and how often; absent: none, or not known. */
  refused: refusedHosts.optional(),
  /** Hosts to which it sent more than the bound of the alarm since it started; absent: none, or not known. */
  heavyHosts: heavyHosts.optional(),
})
export type ObservedInstance = z.infer<typeof observedInstance>

/** `POST /v1/sync`, controller → agent, over the tunnel. */
export const syncRequest = z.strictObject({
  protocol: z.int(),
  machineGen: z.int().min(1),
  /** How many changes the controller's database has had. An agent that saw more refuses, with `olderDatabase`. */
  changes: z.int32().min(0),
  desired: z.array(desiredInstance).max(2000),
})
export type SyncRequest = z.infer<typeof syncRequest>

/** 409 to a sync from a database that is older than the one that spoke to this machine before: how far that one was. */
export const olderDatabase = z.strictObject({ code: z.literal('older_database'), changes: z.int32().min(0) })
export type OlderDatabase = z.infer<typeof olderDatabase>

/** Its answer. `instances` is the whole inventory of the machine: what is absent here does not run there. */
export const syncAnswer = z.strictObject({
  protocol: z.int(),
  machineGen: z.int().min(1),
  bootId: z.string().max(80),
  instances: z.array(observedInstance).max(2000),
  inventory,
  use: machineUse,
  /** What runs here and the request did not name, as it was once ordered: enough to adopt it. */
  unlisted: z.array(desiredInstance).max(LIMITS.orphansMax).optional(),
})
export type SyncAnswer = z.infer<typeof syncAnswer>

/** `GET /v1/changes`: a stream of newline-ended numbers that rise when an observation changed; a sync should come soon. */
export const changeLine = z.coerce.number().int().min(0)
