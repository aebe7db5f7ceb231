import type { BindMount } from '../../../host/host-launch'
import type { SandboxBind } from './bwrap-arguments'

/** A folder that every user may enter, covered by a private tmpfs in the session-host's own mount namespace. */
const MOUNT_ROOT = '/run/berth-mnt'

/** Parts of the system that every user may read. */
const OPEN = ['/usr/', '/etc/', '/dev/']

export type Reachable = { binds: SandboxBind[]; mountRoot: string | null; mounts: BindMount[] }

/**
 * Pure: a root agent's data may lie where the sandbox's uid cannot go (below /root); such sources are bound to a neutral
 * place first, and the sandbox takes them from there. An ordinary agent needs none of it.
 */
export function reachableBinds(binds: readonly SandboxBind[], isRoot: boolean): Reachable {
  if (!isRoot) return { binds: [...binds], mountRoot: null, mounts: [] }
  const mounts = new Map<string, string>()
  const moved = binds.map((bind) => {
    if (OPEN.some((prefix) => bind.source.startsWith(prefix))) return bind
    const mounted = bind.within ?? bind.source
    const target = mounts.get(mounted) ?? `${MOUNT_ROOT}/${mounts.size}`
    mounts.set(mounted, target)
    return { ...bind, source: target + bind.source.slice(mounted.length) }
  })
  return { binds: moved, mountRoot: MOUNT_ROOT, mounts: [...mounts].map(([source, target]) => ({ source, target })) }
}
