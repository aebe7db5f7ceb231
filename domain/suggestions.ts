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
  if (ask.trust === 'untrusted') return []
  const roomiest = machines.toSorted((a, b) => freeCpus(b) - freeCpus(a) || freeMemory(b) - freeMemory(a)).slice(0, COMBINED_MAX)
  const gpuChanges = [[{}], ...[otherClasses(ask, machines), fewerGpus(ask), withoutGpu(ask)].map((lists) => lists.flat())]
  return firstThatFits(
    ask,
    roomiest,
    gpuChanges.map((changes) => combined(ask, roomiest, changes)),
  )
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

/** With each change of the GPUs all that one machine has left, up to what was asked; offered only when no single change helps. */
function combined(ask: Ask, machines: readonly Candidate[], gpuChanges: readonly Change[]): Change[] {
  const cuts = machines
    .map((c) => ({
      cpus: Math.min(ask.spec.cpus, freeCpus(c)),
      memoryBytes: Math.min(ask.spec.memoryBytes, Math.floor(freeMemory(c) / MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES),
      diskBytes: Math.min(ask.spec.diskBytes, Math.floor(freeDisk(c) / DISK_STEP_BYTES) * DISK_STEP_BYTES),
    }))
    .filter((change) => change.cpus >= 1 && change.memoryBytes >= LIMITS.memoryBytesMin)
    .map((change) => changedOnly(ask.spec, change))
  return gpuChanges.slice(0, COMBINED_MAX).flatMap((gpuChange) => cuts.map((cut) => ({ ...cut, ...gpuChange })))
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
  const gpus = gpuTitle(spec, change)
  if (gpus === null) return `Ask for ${sizes.join(', ')}`
  return sizes.length === 0 ? gpus : `${gpus}; ask for ${sizes.join(', ')}`
}

function gpuTitle({ gpu }: WorkloadSpec, change: Change): string | null {
  if (change.dropGpu) return 'Do without a GPU'
  if (change.gpuClass) return `Use ${change.gpuClass} instead`
  return change.gpuCount === undefined ? null : `Ask for ${counted(change.gpuCount, 'GPU')} instead of ${gpu?.count ?? 0}`
}

function detailOf(ask: Ask, taker: Candidate): string {
  const name = taker.machine.name
  if (ask.trust === 'untrusted') return `${name} can take it`
  return `${name} has ${roomOf(taker)} free`
}

/** What a machine has left, in words. */
export function roomOf(candidate: Candidate): string {
  const cpus = `${freeCpus(candidate)} of ${counted(candidate.machine.inventory?.cpus ?? 0, 'CPU')}`
  return `${cpus} and ${gigabytes(freeMemory(candidate))} GiB of memory`
}
