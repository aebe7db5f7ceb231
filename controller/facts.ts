import type { Listed, Observation, WorkloadBackend } from '@/backends/backend'
import type { Catalog } from '@/domain/catalog'
import type { Instance } from '@/domain/ids'
import type { Trust } from '@/domain/kinds'
import type { Machine } from '@/domain/machines'
import type { Candidate } from '@/domain/placement'
import { personKey } from '@/domain/queue'
import type { Workload } from '@/domain/workloads'
import type { Db } from '@/server/store/db'
import { candidates } from '@/server/store/system/machines'
import { type Asked, askedOf } from '@/server/store/system/observing'
import { type Orphan, orphansOn } from '@/server/store/system/orphans'
import { recentUse } from '@/server/store/system/recent-use'
import { isQuarantined } from '@/server/store/system/setup'
import { tenantTrust } from '@/server/store/system/tenants'
import { openWorkloads, progressTimes } from '@/server/store/system/workloads'
import type { PassMemory } from './pass-memory'

/** One open workload with what is known of its instance. */
export type WorkloadFact = {
  workload: Workload
  /** Null without a placement. */
  observation: Observation | null
  /** The machine of its placement; null when it is not part of Berth any more. */
  machine: Machine | null
  /** When its progress last moved. */
  progressAt: Date
}

/** Something that may run on a machine and is no open workload's instance. */
export type Stray = { instance: Listed; asked: Asked | null; workload: Workload | null }

/** All that a pass decides on. Read once, at `now`; a plan over it is pure. */
export type Facts = {
  now: Date
  workloads: readonly WorkloadFact[]
  strays: readonly Stray[]
  /** CPU-hours that each person used of late, by `personKey`; empty where no more than one waits. */
  recentUse: ReadonlyMap<string, number>
  /** What runs on machines and the store does not know; its capacity counts in `candidates`. */
  orphans: readonly Orphan[]
  candidates: readonly Candidate[]
  trust: ReadonlyMap<string, Trust>
  catalog: Catalog
  /** Milliseconds since a moment, without those that the clock jumped over. */
  ageMs: (since: Date) => number
  /** Of each planned stop, how many milliseconds its warning was not shown yet. */
  warningsMissing: ReadonlyMap<string, number>
  /** The database was restored: machines are left as they are until a person says otherwise. */
  isQuarantined: boolean
}

/** Reads the store, then asks the backend about every instance that the store names. */
export async function gatherFacts(
  from: { db: Db; backend: WorkloadBackend; catalog: Catalog; now: Date; memory: PassMemory },
  signal: AbortSignal,
): Promise<Facts> {
  const { db, backend, catalog, now } = from
  const workloads = await openWorkloads(db)
  const placed = workloads.flatMap((w) => (w.placement ? [instanceOf(w.placement)] : []))
  const ids = workloads.map((w) => w.id)
  const [machines, isHeld, trust, moved, observations, listed] = await Promise.all([
    candidates(db),
    isQuarantined(db),
    tenantTrust(db),
    progressTimes(db, ids),
    backend.observe(placed, signal),
    backend.listed(signal),
  ])
  const seen = new Map(observations.map((o) => [o.placementId, o]))
  const byId = new Map(machines.map((c) => [c.machine.id, c.machine]))
  const orphans = await orphansOn(db, [...byId.keys()])
  return {
    now,
    workloads: workloads.map((workload) => ({
      workload,
      observation: (workload.placement && seen.get(workload.placement.id)) ?? null,
      machine: (workload.placement && byId.get(workload.placement.machineId)) ?? null,
      progressAt: moved.get(workload.id) ?? workload.stateSince,
    })),
    strays: await findStrays({ db, workloads, listed }),
    recentUse: await from.memory.recentUse(peopleWaiting(workloads), now, () => recentUse(db, {}, now)),
    orphans,
    candidates: machines,
    trust,
    catalog,
    ageMs: from.memory.ageMs(now),
    warningsMissing: from.memory.warningsMissing(workloads, now),
    isQuarantined: isHeld,
  }
}

function peopleWaiting(workloads: readonly Workload[]): number {
  return new Set(workloads.flatMap((w) => (w.state === 'queued' ? [personKey(w)] : []))).size
}

/** Names the instance of a placement. */
export function instanceOf(placement: { workloadId: string; id: string; workloadGen: number }): Instance {
  return { workloadId: placement.workloadId, placementId: placement.id, workloadGen: placement.workloadGen }
}

async function findStrays(from: { db: Db; workloads: readonly Workload[]; listed: readonly Listed[] }): Promise<Stray[]> {
  const current = new Set(from.workloads.map((w) => w.placement?.id))
  const strays = from.listed.filter((i) => !current.has(i.placementId))
  if (strays.length === 0) return []
  const asked = await askedOf(
    from.db,
    strays.map((i) => i.placementId),
  )
  const open = new Map(from.workloads.map((w) => [w.id, w]))
  return strays.map((instance) => ({
    instance,
    asked: asked.get(instance.placementId) ?? null,
    workload: open.get(instance.workloadId) ?? null,
  }))
}
