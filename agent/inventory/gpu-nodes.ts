import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a machine lists its NVIDIA GPUs and their device files; another place in tests. */
export type GpuPlaces = { proc: string; dev: string }

const PLACES: GpuPlaces = { proc: '/proc/driver/nvidia/gpus', dev: '/dev' }
const SHARED = ['nvidiactl', 'nvidia-uvm', 'nvidia-uvm-tools', 'nvidia-modeset']
/** Without these no program can use any of them. */
const NEEDED = ['nvidiactl']

/** The device file of each GPU that a sandbox can be given, by UUID; one without a file, or on a machine without the shared ones, is not among them. */
export function gpuNodes(places = PLACES): Map<string, string> {
  const listed = new Set(names(places.dev))
  if (!NEEDED.every((name) => listed.has(name))) return new Map()
  return new Map(
    names(places.proc).flatMap((name) => {
      const gpu = parseInformation(textOf(join(places.proc, name, 'information')))
      return gpu && listed.has(`nvidia${gpu.minor}`) ? [[gpu.uuid, join(places.dev, `nvidia${gpu.minor}`)] as const] : []
    }),
  )
}

/** Device files that every program with a GPU needs beside its own. */
export function sharedGpuNodes(places = PLACES): string[] {
  const listed = new Set(names(places.dev))
  return SHARED.filter((name) => listed.has(name)).map((name) => join(places.dev, name))
}

/** Pure: the driver's own words about one GPU; null when they do not say which it is. */
function parseInformation(text: string): { uuid: string; minor: number } | null {
  const uuid = /^GPU UUID:\s*(\S+)$/m.exec(text)?.[1]
  const minor = /^Device Minor:\s*(\d{1,3})\s*$/m.exec(text)?.[1]
  return uuid && minor ? { uuid, minor: Number(minor) } : null
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
