import { z } from 'zod'
import { DRIVER_ROWS } from '@/domain/drivers'
import { KIND_NAMES } from '@/domain/kinds'
import { lookEnd } from '@/domain/look'
import { inventory, type Machine } from '@/domain/machines'
import type { Reason } from '@/domain/reasons'
import { STATE_NAMES } from '@/domain/states'
import {
  NO_SETTINGS,
  type Placement,
  progress,
  STOPS,
  WANTS,
  type Workload,
  type WorkloadEvent,
  workloadSettings,
  workloadSpec,
} from '@/domain/workloads'
import type { Prisma } from './generated/sqlite/client'

/** Columns of a placement that the domain knows, with its machine's name. */
export const placementColumns = {
  id: true,
  workloadId: true,
  workloadGen: true,
  machineId: true,
  driver: true,
  placedClass: true,
  devices: true,
  cpus: true,
  memoryBytes: true,
  diskBytes: true,
  want: true,
  bootId: true,
  ackedAt: true,
  needsRestart: true,
  createdAt: true,
  releasedAt: true,
  machine: { select: { name: true } },
} as const satisfies Prisma.PlacementSelect
type PlacementRow = Prisma.PlacementGetPayload<{ select: typeof placementColumns }>

const words = z.array(z.string())

/** A placement as the domain knows it. Throws on a row that no version of ours wrote. */
export function toPlacement(row: PlacementRow): Placement {
  return {
    ...row,
    // Empty for an instance on a cluster, which has no machine of ours.
    machineId: row.machineId ?? '',
    machineName: row.machine?.name ?? '',
    driver: z.enum(DRIVER_ROWS).parse(row.driver),
    devices: words.parse(row.devices),
    memoryBytes: Number(row.memoryBytes),
    diskBytes: Number(row.diskBytes),
    want: z.enum(WANTS).parse(row.want),
  }
}

/** Columns of a workload that the domain knows. Its placement is read by `placementId` beside it. */
export const workloadColumns = {
  id: true,
  tenantId: true,
  ownerId: true,
  owner: { select: { name: true } },
  kind: true,
  name: true,
  label: true,
  state: true,
  reason: true,
  reasonAt: true,
  version: true,
  workloadGen: true,
  attempts: true,
  nextTryAt: true,
  spec: true,
  progress: true,
  exitCode: true,
  settings: true,
  lastBusyAt: true,
  stopAt: true,
  stopWhy: true,
  looksUntil: true,
  placementId: true,
  workspaceMachineId: true,
  stateSince: true,
  createdAt: true,
  lastOpenedAt: true,
} as const satisfies Prisma.WorkloadSelect
export type WorkloadRow = Prisma.WorkloadGetPayload<{ select: typeof workloadColumns }>

/** A code that this version does not know is kept: its text says so, and the page lives. */
const anyReason = z.object({ code: z.string(), args: z.record(z.string(), z.unknown()) }).transform((r) => r as Reason)

/** A workload as the domain knows it, with its present placement. */
export function toWorkload(row: WorkloadRow, placement: Placement | null): Workload {
  const { owner, placementId: _, ...columns } = row
  return {
    ...columns,
    ownerName: owner.name,
    kind: z.enum(KIND_NAMES).parse(row.kind),
    state: z.enum(STATE_NAMES).parse(row.state),
    reason: row.reason === null ? null : anyReason.parse(row.reason),
    spec: workloadSpec.parse(row.spec),
    settings: row.settings === null ? NO_SETTINGS : workloadSettings.parse(row.settings),
    looksUntil: row.state === 'failed' && placement ? lookEnd(row) : null,
    stopWhy: z.enum(STOPS).nullable().parse(row.stopWhy),
    progress: row.progress === null ? null : progress.parse(row.progress),
    placement,
  }
}

/** What is read of a line of the timeline. */
export const eventColumns = {
  id: true,
  workloadId: true,
  seq: true,
  at: true,
  fromState: true,
  toState: true,
  code: true,
  args: true,
  actor: true,
} as const satisfies Prisma.WorkloadEventSelect
type EventRow = Prisma.WorkloadEventGetPayload<{ select: typeof eventColumns }>

/** A line of the timeline as the domain knows it. */
export function toEvent(row: EventRow): WorkloadEvent {
  const state = z.enum(STATE_NAMES).nullable()
  return {
    id: row.id,
    workloadId: row.workloadId,
    seq: row.seq,
    at: row.at,
    from: state.parse(row.fromState),
    to: state.parse(row.toState),
    reason: anyReason.parse({ code: row.code, args: row.args }),
    actor: z.enum(['person', 'controller', 'machine']).parse(row.actor),
  }
}

/** What is read of a machine. */
export const machineColumns = {
  id: true,
  tenantId: true,
  ownerId: true,
  name: true,
  region: true,
  sharing: true,
  mountRoots: true,
  state: true,
  inventory: true,
  createdAt: true,
  contact: { select: { bootId: true, machineGen: true, lastContactAt: true, controllerId: true } },
} as const satisfies Prisma.MachineSelect
type MachineRow = Prisma.MachineGetPayload<{ select: typeof machineColumns }>

/** A machine as the domain knows it. */
export function toMachine(row: MachineRow): Machine {
  const { contact, ...columns } = row
  return {
    ...columns,
    sharing: z.enum(['owner', 'tenant', 'invited', 'everyone']).parse(row.sharing),
    state: z.enum(['active', 'draining', 'suspect']).parse(row.state),
    mountRoots: words.parse(row.mountRoots),
    inventory: row.inventory === null ? null : inventory.parse(row.inventory),
    bootId: contact?.bootId ?? null,
    machineGen: contact?.machineGen ?? 0,
    lastContactAt: contact?.lastContactAt ?? null,
    isConnected: contact?.controllerId != null,
  }
}
