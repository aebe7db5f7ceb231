import type { Catalog } from './catalog'
import type { GpuAsk } from './workloads'

type Named = { name: string; memoryBytes: number; class: string | null }

/** A device reports a little less memory than its class is sold with, and never as much as the next class. */
const MEMORY_TOLERANCE = 0.1

/** The catalog's class of a device, by name and memory; the longest name match wins. What the machine says counts only when the catalog is silent. */
export function deviceClass(device: Named, catalog: Catalog): string | null {
  const name = device.name.toLowerCase()
  const matches = catalog.classes
    .filter((c) => c.match.every((part) => name.includes(part)))
    .filter((c) => Math.abs(device.memoryBytes - c.memoryBytes) <= c.memoryBytes * MEMORY_TOLERANCE)
    .sort((a, b) => b.match.join('').length - a.match.join('').length)
  if (matches[0]) return matches[0].id
  return catalog.classes.some((c) => c.id === device.class) ? device.class : null
}

/** The classes that will do, best first: the asked one, then its own fallbacks if the person allows them. Null: any device. */
export function acceptedClasses(gpu: GpuAsk, catalog: Catalog): readonly string[] | null {
  if (gpu.class === null) return null
  const fallbacks = catalog.classes.find((c) => c.id === gpu.class)?.fallbacks ?? []
  return gpu.allowFallbacks ? [gpu.class, ...fallbacks] : [gpu.class]
}
