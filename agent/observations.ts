import type { ObservedInstance } from '@/protocol/sync'
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
