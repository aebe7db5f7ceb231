import type { Catalog } from '@/domain/catalog'
import { AppError } from '@/domain/errors'
import type { Fit } from '@/domain/filters'
import { checkPlacement, type PlacementAsk } from '@/domain/funnel'
import type { Candidate } from '@/domain/placement'
import { because, type Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { Placement, Workload } from '@/domain/workloads'
import { type Db, inTx, type Tx } from '@/server/store/db'
import { detachPlacement, listPlacements } from '@/server/store/placements'
import type { StatePatch } from '@/server/store/state-patch'
import { lockLease, PLACEMENT_LEASE } from '@/server/store/system/leases'
import { candidate, lockMachine } from '@/server/store/system/machines'
import { openRestart } from '@/server/store/system/operations'
import { createPlacement, orderEnd, releasePlacement, takeBackPlacement } from '@/server/store/system/placements'
import { findTenant } from '@/server/store/users'
import { lockWorkload } from '@/server/store/workloads'
import { dropWorkspace, putWorkspace } from '@/server/store/workspaces'
import { note, transition } from './transition'

export type PlaceRequest = {
  /** The workload as it was when the machine was chosen. */
  workload: Workload
  machineId: string
  catalog: Catalog
  /** Epoch of the placement lease: an older holder places nothing. */
  epoch: number
  placementId: string
  at: Date
}

/**
 * Places a queued workload: the machine is checked again inside the transaction, on what is taken now, and the driver,
 * class and devices of that check are the ones that are placed. Null: it does not fit any more. Errors: conflict (the
 * lease went to another holder, or the workload changed).
 */
export async function placeWorkload(db: Db, request: PlaceRequest): Promise<Workload | null> {
  return inTx(db, async (tx) => {
    if (!(await lockLease(tx, { name: PLACEMENT_LEASE, epoch: request.epoch })))
      throw new AppError('conflict', { why: 'another controller places workloads now' })
    if (!(await lockMachine(tx, request.machineId))) return null
    const target = await candidate(tx, request.machineId)
    if (!target) return null
    const { fit } = checkPlacement(await askOf(tx, request), target)
    if (!fit) return null
    return place(tx, request, { fit, machine: target.machine.name })
  })
}

export type Settle = {
  workload: Workload
  reason: Reason
  at: Date
  /** The machine has the workload's files: its next start is pinned there. False says nothing. */
  hasWorkspace?: boolean
  /** The files are known to be gone: nothing pins its next start. */
  isWorkspaceGone?: boolean
  exitCode?: number | null
}

/** provisioning or paused → running. Errors of every move: conflict when the row or its placement changed. */
export async function toRunning(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'running', isReleased: false, patch: { attempts: 0, nextTryAt: null } })
}

/** running → paused, after the machine confirmed. */
export async function toPaused(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'paused', isReleased: false })
}

/** running or paused → parking, for a reason of the controller's own. */
export async function toParking(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'parking', isReleased: false })
}

/** running, paused or parking → parked; the capacity is free again. A restart goes on from there: queued, in the same transaction. */
export async function toParked(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'parked', isReleased: true })
}

/** provisioning or running → failed. It keeps its placement, for a look, until endLook. */
export async function toFailed(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'failed', isReleased: false })
}

/** provisioning → failed with nothing left to look at: capacity and placement are given back at once. */
export async function toFailedReleased(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'failed', isReleased: true })
}

/** provisioning → queued: the attempt counts, its copy on the machine is ended, and it is tried again at `nextTryAt`. */
export async function toQueuedAgain(db: Db, settle: Settle & { nextTryAt: Date | null }): Promise<Workload> {
  const patch = { attempts: settle.workload.attempts + 1, nextTryAt: settle.nextTryAt }
  return move(db, settle, { to: 'queued', isReleased: true, patch, end: 'destroy' })
}

/** Anything placed → lost, by an authoritative inventory or its owner's word. */
export async function toLost(db: Db, settle: Settle): Promise<Workload> {
  return move(db, settle, { to: 'lost', isReleased: true })
}

/** removing → removed; its name is free. With the machine away `reason` says so, and its row goes on asking for the end. */
export async function toRemoved(db: Db, settle: Settle): Promise<Workload> {
  return move(db, { ...settle, isWorkspaceGone: true }, { to: 'removed', isReleased: true, end: 'remove' })
}

/** failed stays failed, its placement is given back: the time for a look is over, or nothing of it runs any more. */
export async function endLook(db: Db, settle: Settle): Promise<void> {
  const { workload, at } = settle
  const { placement } = workload
  if (!placement) return
  await inTx(db, async (tx) => {
    const now = await lockWorkload(tx, workload.tenantId, workload.id)
    // Somebody wants to look longer, since the facts were read.
    if (settle.reason.code === 'look_ended' && now?.looksUntil?.getTime() !== workload.looksUntil?.getTime()) return
    if (!(await detachPlacement(tx, workload.tenantId, { id: workload.id, placementId: placement.id }))) return
    await releasePlacement(tx, { placementId: placement.id, why: settle.reason.code, at })
    await orderEnd(tx, { placementId: placement.id, want: 'destroy' })
    await note(tx, workload, settle.reason, at)
  })
}

/**
 * lost → running, when the machine lists its last placement after all and its capacity is still free. Null: it is not;
 * without room that is told, once, and shown instead of the loss.
 */
export async function takeBack(db: Db, settle: Settle): Promise<Workload | null> {
  const { workload, reason, at } = settle
  const [last] = await listPlacements(db, workload.tenantId, { workloadId: workload.id, limit: 1 })
  if (!last) return null
  return inTx(db, async (tx) => {
    if (!(await lockMachine(tx, last.machineId))) return null
    const target = await candidate(tx, last.machineId)
    if (!target) return null
    if (!hasRoomFor(target, last)) return tellNoRoom(tx, settle, target.machine.name)
    const patch = { placementId: last.id, workspaceMachineId: last.machineId }
    await takeBackPlacement(tx, last.id)
    return transition(tx, workload, 'running', reason, at, { actor: 'machine', patch })
  })
}

async function tellNoRoom(tx: Tx, { workload, at }: Settle, machine: string): Promise<null> {
  const now = await lockWorkload(tx, workload.tenantId, workload.id)
  const reason = because('came_back_no_room', { machine })
  if (now?.state === 'lost' && now.reason?.code !== reason.code) await note(tx, now, reason, at, { isShown: true })
  return null
}

type How = { to: State; isReleased: boolean; patch?: StatePatch; end?: 'destroy' | 'remove' }

async function move(db: Db, settle: Settle, how: How): Promise<Workload> {
  const { workload, at } = settle
  const { placement } = workload
  return inTx(db, async (tx) => {
    const guard = placement ? { placementId: placement.id } : {}
    const moved = await transition(tx, workload, how.to, settle.reason, at, { ...guard, patch: patchOf(settle, how) })
    if (placement && how.isReleased) await releasePlacement(tx, { placementId: placement.id, why: settle.reason.code, at })
    if (placement && how.end) await orderEnd(tx, { placementId: placement.id, want: how.end })
    const files = { workloadId: workload.id, at }
    if (placement && settle.hasWorkspace) await putWorkspace(tx, workload.tenantId, { ...files, machineId: placement.machineId })
    if (settle.isWorkspaceGone) await dropWorkspace(tx, workload.tenantId, files)
    return moved.state === 'parked' ? goOn(tx, moved, at) : moved
  })
}

/** The second half of a restart, where one is open: what was parked by it is queued. */
export async function goOn(tx: Tx, parked: Workload, at: Date): Promise<Workload> {
  if (!(await openRestart(tx, parked.id))) return parked
  const patch = { attempts: 0, nextTryAt: null, exitCode: null }
  return transition(tx, parked, 'queued', because('restart_goes_on', {}), at, { patch })
}

function patchOf(settle: Settle, how: How): StatePatch {
  const { placement } = settle.workload
  return {
    ...how.patch,
    ...(how.isReleased ? { placementId: null } : {}),
    ...(settle.hasWorkspace && placement ? { workspaceMachineId: placement.machineId } : {}),
    ...(settle.isWorkspaceGone ? { workspaceMachineId: null } : {}),
    ...(settle.exitCode === undefined ? {} : { exitCode: settle.exitCode }),
  }
}

async function askOf(tx: Tx, request: PlaceRequest): Promise<PlacementAsk> {
  const { workload, catalog, at } = request
  const tenant = await findTenant(tx, workload.tenantId)
  return {
    spec: workload.spec,
    kind: workload.kind,
    tenantId: workload.tenantId,
    ownerId: workload.ownerId,
    trust: tenant?.trust ?? 'untrusted',
    catalog,
    pinnedMachineId: workload.workspaceMachineId,
    now: at,
  }
}

async function place(tx: Tx, request: PlaceRequest, placed: { fit: Fit; machine: string }): Promise<Workload> {
  const { workload, machineId, epoch, at } = request
  const { driver, placedClass, devices } = placed.fit
  const next = { id: request.placementId, workload, machineId, driver, placedClass, devices, epoch, at }
  const placement = await createPlacement(tx, next)
  const patch = { placementId: placement.id, workloadGen: placement.workloadGen, exitCode: null, nextTryAt: null }
  const reason = because('placed', { machine: placed.machine, ...waitedFor(workload, at) })
  const moved = await transition(tx, workload, 'provisioning', reason, at, { patch })
  // Somebody else placed it meanwhile: this row must not stay beside theirs.
  if (moved.placement?.id !== placement.id) throw new AppError('conflict', { why: 'it was placed meanwhile' })
  return moved
}

/** Less than a minute is not worth a word. */
function waitedFor({ stateSince }: Workload, at: Date): { waitedMinutes?: number } {
  const waitedMinutes = Math.floor((at.getTime() - stateSince.getTime()) / 60_000)
  return waitedMinutes < 1 ? {} : { waitedMinutes }
}

/** Room for exactly what the placement had: its own devices, and no less CPU, memory and disk. */
function hasRoomFor({ machine, use }: Candidate, placement: Placement): boolean {
  const { inventory } = machine
  if (!inventory) return false
  return (
    use.cpus + placement.cpus <= inventory.cpus &&
    use.memoryBytes + placement.memoryBytes <= inventory.memoryBytes &&
    use.diskBytes + placement.diskBytes <= inventory.diskBytes &&
    placement.devices.every((device) => !use.devices.includes(device))
  )
}
