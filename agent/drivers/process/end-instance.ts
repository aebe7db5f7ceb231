import type { ObservationCode } from '@/protocol/sync'
import { endHost, removeDoors } from './host-control'
import { type InstanceRecord, isOver, shortId } from './instance-record'
import { clearMountPoints } from './mounts/mount-points'
import type { ProcessParts } from './process-parts'

/** Ends every process of an instance, proven, and takes its limits, doors and way out away. Returns the code for its record. */
export async function endInstance(parts: ProcessParts, { spec }: InstanceRecord): Promise<ObservationCode> {
  const { store, bootId, cgroups, egress, runtimeDir } = parts
  const id = shortId(spec.placementId)
  if (cgroups.canPause && cgroups.isFrozen(id)) await cgroups.setFrozen(id, false)
  const { forced } = await endHost(store.dir(spec.placementId), bootId)
  removeDoors(runtimeDir, spec.placementId)
  await cgroups.remove(id)
  await egress.drop(id)
  await clearMounts(parts, spec)
  return forced ? 'stop_forced' : 'ok'
}

/** A workspace keeps no trace of what was shown in it. Nothing of the instance runs any more when this is called. */
export async function clearMounts(parts: ProcessParts, spec: InstanceRecord['spec']): Promise<void> {
  await clearMountPoints(parts.workspaces.dir(spec.workloadId), spec.mounts)
}

/** Deletes what is kept of a workload. It belongs to its newest instance: an older one takes nothing away. */
export async function eraseWorkload(
  parts: ProcessParts,
  i: Pick<InstanceRecord['spec'], 'workloadId' | 'placementId'>,
): Promise<void> {
  const others = (await parts.store.list()).filter((r) => r.spec.workloadId === i.workloadId && !isOver(r))
  if (others.some((r) => r.spec.placementId !== i.placementId && r.bootId === parts.bootId)) return
  await parts.workspaces.remove(i.workloadId)
  await parts.store.eraseKept(i.workloadId)
}
