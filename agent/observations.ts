import type { Instance } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import type { Device } from '@/domain/machines'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { Present } from './diff'
import type { HeldInstance } from './state'

/**
 * The whole inventory of the machine: what its drivers see, and what it accepted that no driver shows yet or any more.
 * `underWay`: placements at which the agent worked while the drivers were asked; their absence proves nothing. Pure.
 */
export function observations(present: Present, underWay: ReadonlySet<string>): ObservedInstance[] {
  const seen = new Set(present.observed.map((o) => o.placementId))
  const hidden = present.held.filter((h) => !seen.has(h.spec.placementId))
  return [...present.observed, ...hidden.flatMap((h) => unseen(h, underWay.has(h.spec.placementId)))]
}

/** What runs here and the controller did not name, as it was once ordered: enough to adopt it. Pure. */
export function unlisted(
  held: readonly HeldInstance[],
  about: { desired: readonly Instance[]; instances: readonly ObservedInstance[] },
): DesiredInstance[] {
  const listed = new Set(about.desired.map((d) => d.placementId))
  const isOver = (o: ObservedInstance) => o.status === 'stopped' || o.status === 'removed'
  const up = new Set(about.instances.filter((o) => !isOver(o)).map((o) => o.placementId))
  const unknown = held.map((h) => h.spec).filter(({ placementId }) => !listed.has(placementId) && up.has(placementId))
  return unknown.slice(0, LIMITS.orphansMax)
}

/** Adds what the assigned GPUs measure of themselves. One that computes is work. Pure. */
export function withGpus(
  instances: readonly ObservedInstance[],
  about: { held: readonly HeldInstance[]; devices: readonly Device[] },
): ObservedInstance[] {
  const given = new Map(about.held.map((h) => [h.spec.placementId, h.spec.devices]))
  return instances.map((o) => {
    const own = about.devices.filter((d) => given.get(o.placementId)?.includes(d.uuid))
    if (!o.use || own.length === 0) return o
    const gpus = own.map(({ uuid, use, memoryUsedBytes }) => ({ uuid, use, memoryBytes: memoryUsedBytes }))
    return { ...o, use: { ...o.use, gpus }, isBusy: gpus.some((gpu) => gpu.use > WORKING_GPU) ? true : o.isBusy }
  })
}

/** A GPU that computes for more than this share of its time works. */
const WORKING_GPU = 0.05

/** An accepted instance that no driver shows. Nothing: it is gone, and absence says so. */
function unseen(h: HeldInstance, isUnderWay: boolean): ObservedInstance[] {
  const { want, needsWorkspace } = h.spec
  const isEnding = want === 'park' || want === 'destroy'
  if (want === 'remove') return [row(h, h.isRemoved ? 'removed' : 'stopping', false)]
  if (isUnderWay) return [row(h, isEnding ? 'stopping' : 'starting', needsWorkspace)]
  if (h.isStarted) return []
  if (isEnding) return [row(h, 'stopped', needsWorkspace)]
  if (h.refused !== null) return [{ ...row(h, 'failed', needsWorkspace && h.refused !== 'workspace_missing'), code: h.refused }]
  return [row(h, 'starting', needsWorkspace)]
}

function row({ spec }: HeldInstance, status: ObservedInstance['status'], hasWorkspace: boolean): ObservedInstance {
  const { workloadId, placementId, workloadGen } = spec
  const stage =
    status === 'starting' ? 'creating' : status === 'stopping' ? (spec.want === 'remove' ? 'removing' : 'stopping') : null
  return {
    workloadId,
    placementId,
    workloadGen,
    status,
    code: 'ok',
    subject: null,
    progress: stage && { stage, detail: null, done: null, total: null, unit: null },
    exitCode: null,
    hasWorkspace,
  }
}
