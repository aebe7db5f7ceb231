import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxBind } from './sandbox/bwrap-arguments'

const SHARED = ['/dev/nvidiactl', '/dev/nvidia-uvm', '/dev/nvidia-uvm-tools', '/dev/nvidia-modeset']

/** Device files of exactly these GPUs, by UUID as the driver's own files under /proc list them. Throws when one is not there. */
export function gpuBinds(uuids: readonly string[], proc = '/proc/driver/nvidia/gpus'): SandboxBind[] {
  if (uuids.length === 0) return []
  const minors = readMinors(proc)
  const own = uuids.map((uuid) => {
    const minor = minors.get(uuid)
    if (minor === undefined) throw new Error('an assigned GPU is not on this machine')
    return `/dev/nvidia${minor}`
  })
  return [...own, ...SHARED.filter((path) => existsSync(path))].map((path) => ({ source: path, target: path, mode: 'device' }))
}

function readMinors(proc: string): Map<string, number> {
  if (!existsSync(proc)) return new Map()
  return new Map(
    readdirSync(proc).flatMap((name) => {
      const text = readFileSync(join(proc, name, 'information'), 'utf8')
      const uuid = /^GPU UUID:\s*(\S+)$/m.exec(text)?.[1]
      const minor = /^Device Minor:\s*(\d+)$/m.exec(text)?.[1]
      return uuid && minor ? [[uuid, Number(minor)] as const] : []
    }),
  )
}
