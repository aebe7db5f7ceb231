import type { Machine } from './machines'
import { isWithin } from './paths'
import type { WorkloadSpec } from './workloads'

/** The paths of a machine that a workload asks for: its folders, and its interpreter. */
export function pathsAsked({ mounts, python }: Pick<WorkloadSpec, 'mounts' | 'python'>): string[] {
  return [...mounts.map((m) => m.path), ...(python === null ? [] : [python])]
}

/** The first asked path that lies below none of the machine's allowed folders, or null. Compares text; the machine resolves links. */
export function outsideRoots(spec: Pick<WorkloadSpec, 'mounts' | 'python'>, machine: Pick<Machine, 'mountRoots'>): string | null {
  return pathsAsked(spec).find((path) => !machine.mountRoots.some((root) => isWithin(path, root))) ?? null
}

/** Why a machine shows nothing of this inside, in a few words; null: it does, or nothing is asked. */
export function foldersRefused(
  asked: { spec: Pick<WorkloadSpec, 'mounts' | 'python'>; ownerId: string; tenantId: string },
  machine: Pick<Machine, 'ownerId' | 'tenantId' | 'mountRoots'>,
): string | null {
  if (pathsAsked(asked.spec).length === 0) return null
  if (machine.ownerId !== asked.ownerId || machine.tenantId !== asked.tenantId) return 'shows its folders to its owner only'
  return outsideRoots(asked.spec, machine) === null ? null : 'does not allow all of the folders'
}
