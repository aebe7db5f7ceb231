import type { Ask } from './filters'
import { examine, freeCpus, freeDisk, freeMemory, gigabytes, isVisible } from './filters'
import { acceptedClasses, deviceClass } from './gpu-class'
import { LIMITS } from './limits'
import type { Candidate, Suggestion } from './placement'
import { counted } from './reason'
import type { WorkloadSpec } from './workloads'

type Change = Suggestion['change']
const MEMORY_STEP_BYTES = 256 * 2 ** 20
const DISK_STEP_BYTES = 2 ** 30
const SHOWN_MAX = 4
/** Machines that combined changes are made for: one line each is enough. */
const COMBINED_MAX = 20

/** What would make it run now. Each change is tried against the very same filters before it is offered. */
export function suggestChanges(ask: Ask, candidates: readonly Candidate[]): Suggestion[] {
  const machines = candidates.filter((c) => isVisible(ask, c))
  const single = [otherClasses(ask, machines), fewerGpus(ask), withoutGpu(ask), smaller(ask, machines)].flatMap((changes) =>
    firstThatFits(ask, machines, changes),
  )
  if (single.length > 0) return single.slice(0, SHOWN_MAX)
  return firstThatFits(ask, machines, [combined(ask, machines, false), combined(ask, machines, true)])
}

/** The spec after a change, as the page's button would send it. */
export function applyChange(spec: WorkloadSpec, change: Change): WorkloadSpec {
  const sizes = {
    cpus: change.cpus ?? spec.cpus,
    memoryBytes: change.memoryBytes ?? spec.memoryBytes,
    diskBytes: change.diskBytes ?? spec.diskBytes,
  }
  if (change.dropGpu || !spec.gpu) return { ...spec, ...sizes, gpu: change.dropGpu ? null : spec.gpu }
  const gpu = {
    ...spec.gpu,
    count: change.gpuCount ?? spec.gpu.count,
    class: change.gpuClass === undefined ? spec.gpu.class : change.gpuClass,
  }
  return { ...spec, ...sizes, gpu }
}

/** Each inner list is ordered, best first; the first change of it that fits somewhere is offered. */
function firstThatFits(ask: Ask, machines: readonly Candidate[], lists: readonly (readonly Change[])[]): Suggestion[] {
  return lists.flatMap((changes) => {
    for (const change of changes) {
      const changed = { ...ask, spec: applyChange(ask.spec, change) }
      const taker = machines.find((c) => examine(changed, c).fit !== null)
      if (taker) return [{ title: titleOf(ask, change), detail: detailOf(ask, taker), change }]
    }
    return []
  })
}

function otherClasses(ask: Ask, machines: readonly Candidate[]): Change[][] {
  const gpu = ask.spec.gpu
  if (!gpu || gpu.class === null) return []
  const present = new Set(machines.flatMap((c) => c.machine.inventory?.devices ?? []).map((d) => deviceClass(d, ask.catalog)))
  const fallbacks = acceptedClasses({ ...gpu, allowFallbacks: true }, ask.catalog) ?? []
  const tried = gpu.allowFallbacks ? fallbacks : [gpu.class]
  const names = [...fallbacks, ...ask.catalog.classes.map((c) => c.id)]
  return [[...new Set(names)].filter((n) => !tried.includes(n) && present.has(n)).map((gpuClass) => ({ gpuClass }))]
}

function fewerGpus(ask: Ask): Change[][] {
  const count = ask.spec.gpu?.count ?? 0
  return count < 2 ? [] : [Array.from({ length: count - 1 }, (_, i) => ({ gpuCount: count - 1 - i }))]
}

function withoutGpu(ask: Ask): Change[][] {
  return ask.spec.gpu ? [[{ dropGpu: true }]] : []
}

function smaller(ask: Ask, machines: readonly Candidate[]): Change[][] {
  // What is free is another tenant's business too: an untrusted tenant is not told how much.
  if (ask.trust === 'untrusted') return []
  const below = (asked: number, step: number, free: (c: Candidate) => number) => {
    const values = machines.map((c) => Math.floor(free(c) / step) * step).filter((v) => v > 0 && v < asked)
    return [...new Set(values)].sort((a, b) => b - a)
  }
  return [
    below(ask.spec.cpus, 1, freeCpus).map((cpus) => ({ cpus })),
    below(ask.spec.memoryBytes, MEMORY_STEP_BYTES, freeMemory).map((memoryBytes) => ({ memoryBytes })),
    below(ask.spec.diskBytes, DISK_STEP_BYTES, freeDisk).map((diskBytes) => ({ diskBytes })),
  ]
}

/** All that one machine has left, up to what was asked; offered only when no single change helps. */
function combined(ask: Ask, machines: readonly Candidate[], dropGpu: boolean): Change[] {
  if (ask.trust === 'untrusted' || (dropGpu && !ask.spec.gpu)) return []
  return machines
    .map((c) => ({
      cpus: Math.min(ask.spec.cpus, freeCpus(c)),
      memoryBytes: Math.min(ask.spec.memoryBytes, Math.floor(freeMemory(c) / MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES),
      diskBytes: Math.min(ask.spec.diskBytes, Math.floor(freeDisk(c) / DISK_STEP_BYTES) * DISK_STEP_BYTES),
    }))
    .filter((change) => change.cpus >= 1 && change.memoryBytes >= LIMITS.memoryBytesMin)
    .sort((a, b) => b.cpus - a.cpus || b.memoryBytes - a.memoryBytes)
    .slice(0, COMBINED_MAX)
    .map((change) => ({ ...changedOnly(ask.spec, change), ...(dropGpu ? { dropGpu: true } : {}) }))
}

function changedOnly(spec: WorkloadSpec, change: { cpus: number; memoryBytes: number; diskBytes: number }): Change {
  return {
    ...(change.cpus < spec.cpus ? { cpus: change.cpus } : {}),
    ...(change.memoryBytes < spec.memoryBytes ? { memoryBytes: change.memoryBytes } : {}),
    ...(change.diskBytes < spec.diskBytes ? { diskBytes: change.diskBytes } : {}),
  }
}

function titleOf({ spec }: Ask, change: Change): string {
  const sizes = [
    change.cpus === undefined ? null : `${change.cpus} instead of ${counted(spec.cpus, 'CPU')}`,
    change.memoryBytes === undefined
      ? null
      : `${gigabytes(change.memoryBytes)} instead of ${gigabytes(spec.memoryBytes)} GiB of memory`,
    change.diskBytes === undefined ? null : `${gigabytes(change.diskBytes)} instead of ${gigabytes(spec.diskBytes)} GiB of disk`,
  ].filter((s) => s !== null)
  if (change.gpuClass) return `Use ${change.gpuClass} instead`
  if (change.gpuCount !== undefined)
    return `Ask for ${change.gpuCount} ${change.gpuCount === 1 ? 'GPU' : 'GPUs'} instead of ${spec.gpu?.count ?? 0}`
  if (!change.dropGpu) return `Ask for ${sizes.join(', ')}`
  return sizes.length === 0 ? 'Do without a GPU' : `Do without a GPU; ask for ${sizes.join(', ')}`
}

function detailOf(ask: Ask, taker: Candidate): string {
  const name = taker.machine.name
  if (ask.trust === 'untrusted') return `${name} can take it`
  const { inventory } = taker.machine
  const cpus = `${freeCpus(taker)} of ${counted(inventory?.cpus ?? 0, 'CPU')}`
  return `${name} has ${cpus} and ${gigabytes(freeMemory(taker))} GiB of memory free`
}
