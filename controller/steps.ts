import type { WorkloadBackend } from '@/backends/backend'
import type { Catalog } from '@/domain/catalog'
import { because } from '@/domain/reasons'
import { isNewProgress, type Workload } from '@/domain/workloads'
import {
  endLook,
  goOn,
  placeWorkload,
  type Settle,
  takeBack,
  toFailed,
  toFailedReleased,
  toLost,
  toParked,
  toParking,
  toPaused,
  toQueuedAgain,
  toRemoved,
  toRunning,
} from '@/server/service/controller-moves'
import { parkAsPlanned, planStop } from '@/server/service/planned-stops'
import { note, transition } from '@/server/service/transition'
import { keepWaitReason } from '@/server/service/waiting'
import { type Db, inTx, type Tx } from '@/server/store/db'
import { saveExitCode } from '@/server/store/system/observing'
import { releasePlacement } from '@/server/store/system/placements'
import { saveProgress } from '@/server/store/system/workloads'
import { lockWorkload } from '@/server/store/workloads'
import { putWorkspace } from '@/server/store/workspaces'
import type { StartRecord } from './start-record'
import type { SettledState, Settlement, Step } from './step'

/** What executors work with. Time and ids come from here. */
export type StepCtx = {
  db: Db
  backend: WorkloadBackend
  catalog: Catalog
  now(): Date
  newId(): string
  /** Epoch of the lease that this controller holds. */
  epoch(): number
  /** What came of starts on each machine. */
  starts: StartRecord
}

/** `done`: look again at once. A number: it is under way, do not repeat it for so many milliseconds. */
export type Outcome = 'done' | { laterMs: number }

/** After a machine accepted something its own change signal tells what came of it; until then there is no point in asking again. */
const ACCEPTED: Outcome = { laterMs: 2000 }
/** The machine had no room after all; the next facts say so. */
const NO_ROOM: Outcome = { laterMs: 500 }
/** Its room is taken by others; people see that. */
const NOT_YET: Outcome = { laterMs: 10_000 }
const NO_LAUNCH = { environment: {} }

type Run<K extends Step['kind']> = (ctx: StepCtx, step: Extract<Step, { kind: K }>, signal: AbortSignal) => Promise<Outcome>

/** One row per kind of step; a kind without a row does not compile. Each may run twice. Backends are called outside transactions. */
export const EXECUTORS: { [K in Step['kind']]: Run<K> } = {
  place: async (ctx, { workload, machineId }) => {
    const { db, catalog } = ctx
    const request = { workload, machineId, catalog, epoch: ctx.epoch(), placementId: ctx.newId(), at: ctx.now() }
    return (await placeWorkload(db, request)) ? 'done' : NO_ROOM
  },
  wait: async ({ db, now }, { workload, reason }) => {
    await keepWaitReason(db, { workload, reason, at: now() })
    return 'done'
  },
  start: async ({ backend }, { workload }, signal) => {
    await backend.start(workload, NO_LAUNCH, signal)
    return ACCEPTED
  },
  freeze: async ({ backend }, { how, instance }, signal) => {
    await backend[how](instance, signal)
    return ACCEPTED
  },
  end: async ({ backend }, { how, instance }, signal) => {
    await backend[how](instance, signal)
    return ACCEPTED
  },
  settle: async (ctx, step) => {
    await SETTLE[step.to](ctx.db, settleOf(step, ctx.now()), step)
    await ctx.starts.tell(ctx.db, { workload: step.workload, reason: step.reason, isUp: step.to === 'running' })
    return 'done'
  },
  retry: async (ctx, { workload, reason, nextTryAt }) => {
    await toQueuedAgain(ctx.db, { workload, reason, nextTryAt, at: ctx.now() })
    await ctx.starts.tell(ctx.db, { workload, reason, isUp: false })
    return 'done'
  },
  reboot: async ({ db, now }, step) => {
    await inTx(db, (tx) => settleReboot(tx, step, now()))
    return 'done'
  },
  progress: async ({ db, now }, step) => {
    await inTx(db, (tx) => keepProgress(tx, step, now()))
    return 'done'
  },
  exit: async ({ db, now }, { workload, exitCode, reason }) => {
    const placementId = workload.placement.id
    await inTx(db, async (tx) => {
      const isCurrent = await saveExitCode(tx, { workloadId: workload.id, placementId, exitCode })
      if (isCurrent) await note(tx, workload, reason, now(), { actor: 'machine', placementId })
    })
    return 'done'
  },
  end_look: async ({ db, now }, { workload, reason }) => {
    await endLook(db, { workload, reason, at: now() })
    return 'done'
  },
  plan_stop: async ({ db, now }, step) => {
    await planStop(db, { ...step, at: now() })
    return 'done'
  },
  park_for: async ({ db, now }, { workload, reason }) => {
    await parkAsPlanned(db, { workload, reason, at: now() })
    return 'done'
  },
  take_back: async ({ db, now }, { workload, reason }) => {
    return (await takeBack(db, { workload, reason, at: now() })) ? 'done' : NOT_YET
  },
}

const SETTLE: Record<SettledState, (db: Db, settle: Settle, step: Settlement) => Promise<Workload>> = {
  running: toRunning,
  paused: toPaused,
  parking: toParking,
  parked: toParked,
  failed: (db, settle, step) => (step.isReleased ? toFailedReleased(db, settle) : toFailed(db, settle)),
  lost: toLost,
  removed: toRemoved,
}

function settleOf(step: Settlement, at: Date): Settle {
  const { workload, reason, hasWorkspace, isWorkspaceGone, exitCode } = step
  return {
    workload,
    reason,
    at,
    ...(hasWorkspace === undefined ? {} : { hasWorkspace }),
    ...(isWorkspaceGone === undefined ? {} : { isWorkspaceGone }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

/** Parked by a restart of its machine and, where a person asked for a restart or its policy says so, queued again: both or neither. */
async function settleReboot(tx: Tx, step: Extract<Step, { kind: 'reboot' }>, at: Date): Promise<void> {
  const { workload, reason } = step
  const { placement } = workload
  if (!placement) return
  const patch = { placementId: null, workspaceMachineId: placement.machineId }
  const by = { actor: 'machine' as const, placementId: placement.id }
  const parked = await transition(tx, workload, 'parked', reason, at, { ...by, patch })
  await releasePlacement(tx, { placementId: placement.id, why: reason.code, at })
  await putWorkspace(tx, workload.tenantId, { workloadId: workload.id, machineId: placement.machineId, at })
  if (parked.state !== 'parked') return
  const restarting = await goOn(tx, parked, at)
  if (restarting.state !== 'parked' || !step.isResumed) return
  await transition(tx, parked, 'queued', because('resumed_by_policy', {}), at, { patch: { attempts: 0, nextTryAt: null } })
}

/** A new stage is an event; what happens within one is not. The row decides: the facts may be older than what it says. */
async function keepProgress(tx: Tx, step: Extract<Step, { kind: 'progress' }>, at: Date): Promise<void> {
  const { workload, progress, reason } = step
  const placementId = workload.placement.id
  const now = await lockWorkload(tx, workload.tenantId, workload.id)
  if (now?.placement?.id !== placementId || now.state !== 'provisioning' || !isNewProgress(progress, now.progress)) return
  if (progress.stage !== now.progress?.stage) await note(tx, workload, reason, at, { actor: 'machine', placementId })
  await saveProgress(tx, { workloadId: workload.id, placementId, progress, at })
}
