import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LIMITS } from '@/domain/limits'
import type { Device } from '@/domain/machines'
import { gpuNodes } from './gpu-nodes'
import { clip } from './text'

const run = promisify(execFile)
const FIELDS = ['index', 'uuid', 'name', 'memory.total', 'memory.used', 'utilization.gpu'] as const
const FORMAT = '--format=csv,noheader,nounits'
const OPTIONS = { timeout: 10_000, maxBuffer: 1_048_576 }
const MIB = 2 ** 20

/**
 * The NVIDIA GPUs of this machine by `nvidia-smi`'s documented CSV format; none when the program is not there. `class`
 * stays null: the controller knows the catalog. `inUse`: UUIDs given to instances of ours.
 */
export async function readGpus(inUse: readonly string[]): Promise<Device[]> {
  const gpus = await query('gpu', FIELDS)
  if (gpus === null) return []
  const programs = (await query('compute-apps', ['gpu_uuid', 'pid'])) ?? ''
  return parseGpus(gpus, { programs, inUse, nodes: gpuNodes() })
}

type About = {
  programs: string
  inUse: readonly string[]
  /** Device files by UUID: what a sandbox can be given. */
  nodes: ReadonlyMap<string, string>
}

/**
 * Rows of `--query-gpu` and of `--query-compute-apps`. A device whose numbers cannot be read, or that has no device file
 * to be given to a sandbox, is wedged; one on which a program runs that is not ours is foreign. Pure.
 */
export function parseGpus(gpus: string, about: About): Device[] {
  const occupied = new Set(rows(about.programs).map(([uuid]) => uuid))
  return rows(gpus)
    .slice(0, LIMITS.inventoryDevices)
    .flatMap((row, at) => {
      const [index, uuid, name, total, used, use] = row
      if (!uuid || !name) return []
      const memoryBytes = amount(total)
      const state =
        memoryBytes === null || amount(used) === null || !about.nodes.has(uuid)
          ? 'wedged'
          : stateOf(uuid, { occupied, inUse: about.inUse })
      return {
        index: Math.min(63, amount(index) ?? at),
        uuid: clip(uuid),
        name: clip(name),
        class: null,
        memoryBytes: (memoryBytes ?? 0) * MIB,
        memoryUsedBytes: (amount(used) ?? 0) * MIB,
        state,
        use: Math.min(1, (amount(use) ?? 0) / 100),
      }
    })
}

function stateOf(uuid: string, about: { occupied: ReadonlySet<string | undefined>; inUse: readonly string[] }): Device['state'] {
  if (about.inUse.includes(uuid)) return 'busy'
  return about.occupied.has(uuid) ? 'foreign' : 'free'
}

function rows(csv: string): string[][] {
  return csv
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()))
}

/** A whole number, or null for `[N/A]`, `[Unknown Error]` and the like. */
function amount(cell: string | undefined): number | null {
  return cell !== undefined && /^\d{1,9}$/.test(cell) ? Number(cell) : null
}

/** Null when there is no nvidia-smi, or no driver that answers it. */
async function query(what: 'gpu' | 'compute-apps', fields: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await run('nvidia-smi', [`--query-${what}=${fields.join(',')}`, FORMAT], OPTIONS)
    return stdout
  } catch {
    return null // not installed, or the driver does not answer: then no GPU can be offered
  }
}
