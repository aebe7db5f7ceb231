import { z } from 'zod'
import { rowId } from './ids'
import type { Kind } from './kinds'
import { KIND_NAMES } from './kinds'
import { LIMITS } from './limits'
import { hostPath, mounts } from './mounts'
import { workloadName } from './names'
import type { Reason } from './reasons'
import { REASON_CODES } from './reasons'
import type { State } from './states'
import { STATE_NAMES } from './states'
import { between, bytesBetween } from './whole-number'

/** Asked GPUs: a class of the catalog or any, how many on one machine, and whether its fallbacks will do. */
const gpuAsk = z.strictObject({
  class: z.string().max(60).nullable(),
  count: between(1, LIMITS.gpusMax, 'GPU'),
  allowFallbacks: z.boolean().default(false),
})
export type GpuAsk = z.infer<typeof gpuAsk>

/** A PEP 508 name with version ranges; no URL, path or option ever reaches an installer. */
export const requirement = z
  .string()
  .trim()
  .max(LIMITS.requirementChars, `at most ${LIMITS.requirementChars} characters`)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?(?: *(?:===|==|~=|!=|<=|>=|<|>) *[A-Za-z0-9.*+!_-]+(?: *, *(?:===|==|~=|!=|<=|>=|<|>) *[A-Za-z0-9.*+!_-]+)*)?$/,
    'a package name with version ranges, such as numpy>=2,<3; no addresses, paths or options',
  )

const commandArg = z
  .string()
  .max(LIMITS.commandArgChars, `at most ${LIMITS.commandArgChars} characters`)
  .refine((s) => !s.includes('\0'), 'no NUL character')

/** Packages of the kernel environment of a notebook. */
export const requirements = z.array(requirement).max(LIMITS.requirementsMax, `at most ${LIMITS.requirementsMax} packages`)

/** Everything a person asked for. Sizes in bytes; kept as written, exported in full. */
export const workloadSpec = z.strictObject({
  runtime: z.string().min(1).max(60),
  cpus: between(1, LIMITS.cpusMax, 'CPU'),
  memoryBytes: bytesBetween(LIMITS.memoryBytesMin, LIMITS.memoryBytesMax),
  diskBytes: bytesBetween(0, LIMITS.diskBytesMax),
  gpu: gpuAsk.nullable().default(null),
  /** A machine chosen by hand; null leaves it to placement. */
  machineId: rowId.nullable().default(null),
  /** Sessions: the command instead of a login shell, as an argument list. */
  command: z
    .array(commandArg)
    .min(1, 'the name of a program, then its arguments')
    .max(LIMITS.commandArgsMax, `at most ${LIMITS.commandArgsMax} arguments`)
    .nullable()
    .default(null),
  /** Notebooks: packages of the kernel environment. */
  requirements: requirements.default([]),
  /** Folders of the machine, shown inside below `/workspace`; only on a machine that the owner owns. */
  mounts: mounts.default([]),
  /** Notebooks: an existing Python of the machine as the kernel, its interpreter's path; null builds one. */
  python: hostPath.nullable().default(null),
  rebootPolicy: z.enum(['resume', 'stay']).optional(),
})
export type WorkloadSpec = z.infer<typeof workloadSpec>

/** The same as somebody asks for it now. What only this refuses was kept once, and rows are still read by the other. */
export const askedSpec = workloadSpec.refine(({ command }) => command === null || command[0]?.trim() !== '', {
  path: ['command'],
  error: 'the name of a program comes first; it is empty',
})

/** What a schedule must be, told by the schema and by whoever reads its fields. */
export const FIVE_FIELDS = 'five fields: minute, hour, day, month, weekday'
/** The same for its time zone. */
export const TIME_ZONE = 'an IANA time zone, such as Europe/Berlin'

/** What ends a run without a person. Each may be changed while it runs; null: never. */
export const workloadSettings = z.strictObject({
  /** Park when nothing happened inside for that long. */
  idleMinutes: between(LIMITS.idleMinutesMin, LIMITS.idleMinutesMax, 'minute').nullable().default(null),
  /** Park when it has run for that long since it started. */
  limitMinutes: between(LIMITS.idleMinutesMin, LIMITS.idleMinutesMax, 'minute').nullable().default(null),
  /** Park at these times: a five-field cron line, read in an IANA time zone. */
  parkAt: z
    .strictObject({
      cron: z.string().min(9, FIVE_FIELDS).max(100, FIVE_FIELDS),
      timeZone: z.string().min(1, TIME_ZONE).max(60, TIME_ZONE),
    })
    .nullable()
    .default(null),
})
export type WorkloadSettings = z.infer<typeof workloadSettings>
/** Nothing ends a run by itself. */
export const NO_SETTINGS: WorkloadSettings = { idleMinutes: null, limitMinutes: null, parkAt: null }

/** Why a run is going to be parked by itself. */
export const STOPS = ['idle', 'limit', 'schedule'] as const
export type Stop = (typeof STOPS)[number]

/** Input of create, for the form, the API and the CLI. Empty name: one is generated. */
export const createWorkloadInput = z.strictObject({
  kind: z.enum(KIND_NAMES),
  name: z.union([z.literal(''), workloadName]).default(''),
  spec: askedSpec,
  settings: workloadSettings.optional(),
  idempotencyKey: z.string().min(1).max(LIMITS.idempotencyKeyChars).optional(),
})
export type CreateWorkloadInput = z.infer<typeof createWorkloadInput>

/** Filters of a list: newest first, a stable cursor, terminal rows hidden unless asked for. */
export const listWorkloadsInput = z.strictObject({
  states: z.array(z.enum(STATE_NAMES)).max(STATE_NAMES.length).optional(),
  kinds: z.array(z.enum(KIND_NAMES)).max(KIND_NAMES.length).optional(),
  text: z.string().max(LIMITS.nameChars).optional(),
  mine: z.boolean().optional(),
  ended: z.boolean().optional(),
  cursor: rowId.optional(),
  limit: z.int().min(1).max(LIMITS.listMax, `at most ${LIMITS.listMax}`).default(LIMITS.listDefault),
})
export type ListWorkloadsInput = z.infer<typeof listWorkloadsInput>

/** A reason as the database keeps it; its text is made where it is shown. */
export const storedReason = z.object({ code: z.enum(REASON_CODES), args: z.record(z.string(), z.unknown()) })

/** The stages of a start and of a stop, in the order in which one goes through them. */
const STAGES = ['creating', 'environment', 'packages', 'kernel', 'starting', 'stopping', 'removing'] as const

/** Progress of a long step. `done` of `total` in `unit`; total null while unknown. */
export const progress = z.strictObject({
  stage: z.enum(STAGES),
  detail: z.string().max(120).nullable(),
  done: z.number().min(0).nullable(),
  total: z.number().min(0).nullable(),
  unit: z.enum(['packages', 'bytes', 'steps']).nullable(),
})
export type Progress = z.infer<typeof progress>

/** Does it tell something new? The same does not, nor an earlier stage of the same start, which was seen late or is gone through again. Pure. */
export function isNewProgress(now: Progress, before: Progress | null): boolean {
  if (before === null) return true
  return STAGES.indexOf(now.stage) >= STAGES.indexOf(before.stage) && !isSameProgress(now, before)
}

function isSameProgress(a: Progress, b: Progress): boolean {
  return a.stage === b.stage && a.detail === b.detail && a.done === b.done && a.total === b.total && a.unit === b.unit
}

/** State, process and reach are three facts, stored and shown apart. */
export type Workload = {
  id: string
  tenantId: string
  ownerId: string
  ownerName: string
  kind: Kind
  name: string
  label: string
  state: State
  /** Why it is in this state or still waits; refreshed by the controller at each pass. */
  reason: Reason | null
  reasonAt: Date | null
  version: number
  workloadGen: number
  attempts: number
  /** A queued workload is not tried again before this; null: at once. */
  nextTryAt: Date | null
  spec: WorkloadSpec
  settings: WorkloadSettings
  /** When something last happened inside; null until its machine said so. */
  lastBusyAt: Date | null
  /** It is going to be parked then, and why; null: not planned. `keep` puts an idle stop off. */
  stopAt: Date | null
  stopWhy: Stop | null
  /** Failed, and what is left of it is kept for a look: until then. Otherwise null. */
  looksUntil: Date | null
  progress: Progress | null
  exitCode: number | null
  /** The placement in use, or null. */
  placement: Placement | null
  /** Machine that holds the workspace; placement is pinned to it. */
  workspaceMachineId: string | null
  stateSince: Date
  createdAt: Date
  lastOpenedAt: Date | null
}

export type Placement = {
  id: string
  workloadId: string
  workloadGen: number
  machineId: string
  machineName: string
  driver: string
  placedClass: string | null
  devices: readonly string[]
  cpus: number
  memoryBytes: number
  diskBytes: number
  /** What the machine is told to do with this instance. */
  want: Want
  /** Boot of its machine in which the start was acknowledged; another one now explains an absence. */
  bootId: string | null
  ackedAt: Date | null
  /** It runs in code of Berth's that is more than one version behind: it goes on, and only its own restart brings it up to date. */
  needsRestart: boolean
  createdAt: Date
  releasedAt: Date | null
}

/** Desired state of one instance on its machine. `park` keeps the workspace, `remove` keeps nothing, `destroy` ends a stray copy only. */
export const WANTS = ['run', 'pause', 'park', 'remove', 'destroy'] as const
export type Want = (typeof WANTS)[number]

/** A line of the timeline. A transition has `from` and `to`; a note has neither. */
export type WorkloadEvent = {
  id: string
  workloadId: string
  seq: number
  at: Date
  from: State | null
  to: State | null
  reason: Reason
  actor: 'person' | 'controller' | 'machine'
}
