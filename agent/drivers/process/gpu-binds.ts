import { type GpuPlaces, gpuNodes, sharedGpuNodes } from '../../inventory/gpu-nodes'
import { StartRefused } from '../deps'
import type { SandboxBind } from './sandbox/bwrap-arguments'

/** Device files of exactly these GPUs, and what every program with one needs. Rejects one that is not on this machine. */
export function gpuBinds(uuids: readonly string[], places?: GpuPlaces): SandboxBind[] {
  if (uuids.length === 0) return []
  const nodes = gpuNodes(places)
  const own = uuids.map((uuid) => {
    const node = nodes.get(uuid)
    if (node === undefined) throw new StartRefused('no_capacity', 'an assigned GPU has no device file on this machine')
    return node
  })
  return [...own, ...sharedGpuNodes(places)].map((path) => ({ source: path, target: path, mode: 'device' }))
}
