import type { DesiredInstance } from '@/protocol/sync'
import { instancePaths } from '../../../host/host-launch'
import type { ProcessParts } from '../process-parts'
import { noteLine } from '../start-failure'
import type { FolderRules } from './allowed-folder'
import { type CheckedMount, checkMounts, mountRefused } from './check-mounts'
import { makeMountPoints } from './mount-points'

export type ShowTo = { workspace: string; uid: number | null }

/** Folders of Berth are never shown, whatever the controller asks for. */
export function folderRules(parts: Pick<ProcessParts, 'dataDir' | 'runtimeDir'>, spec: DesiredInstance): FolderRules {
  return { roots: spec.mountRoots, own: [parts.dataDir, parts.runtimeDir] }
}

/** The owner's folders, each judged here, and the places where they appear. Rejects with `mount_refused`. */
export async function showFolders(parts: ProcessParts, spec: DesiredInstance, to: ShowTo): Promise<CheckedMount[]> {
  const { mounts } = spec
  const checked = await checkMounts({ mounts, rules: folderRules(parts, spec), uid: to.uid })
  const isLinked = spec.driver === 'process-plain'
  const taken = await makeMountPoints(to.workspace, mounts, { uid: to.uid, isLinked })
  if (taken) {
    const why = 'the workspace has something of that name'
    throw mountRefused(taken.path, { cause: 'name_taken', why, uid: to.uid, help: 'move it away in the workspace' })
  }
  return checked
}

/** Said where its owner reads: without a sandbox nothing holds a program to reading. */
export function noteOpenFolders(parts: ProcessParts, spec: DesiredInstance): void {
  const { buildLog } = instancePaths(parts.store.dir(spec.placementId))
  for (const { path, mode } of spec.mounts)
    if (mode === 'ro') noteLine(buildLog, `# ${path} can be written here: there is no sandbox`)
}
