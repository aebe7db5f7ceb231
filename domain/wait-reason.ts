import type { Ask } from './filters'
import { freeCpus, freeDevices, freeDisk, freeMemory, matchingDevices } from './filters'
import { pathsAsked } from './folders'
import { furthestDropped } from './furthest'
import { acceptedClasses, deviceClass } from './gpu-class'
import type { Candidate, Filter } from './placement'
import type { Reason } from './reasons'
import { because } from './reasons'

type Dropped = {
  ask: Ask
  /** Every machine that could be thought of: what "none of 3 machines" counts. */
  all: readonly Candidate[]
  /** The machines that came furthest and were dropped by the same filter. */
  last: readonly Candidate[]
  position: number
}

/** Why nothing takes it: the filter that dropped the machines that came furthest. Call it only when none fits. */
export function waitReason(ask: Ask, visible: readonly Candidate[], position: number): Reason {
  if (ask.pinnedMachineId === null && visible.length === 0) return because('no_machine', {})
  const all = ask.pinnedMachineId === null ? visible : visible.filter((c) => c.machine.id === ask.pinnedMachineId)
  if (all.length === 0) return because('waiting_machine_gone', {})
  const furthest = furthestDropped(ask, all)
  if (!furthest) return because('waiting_first_look', {})
  return EXPLAIN[furthest.filter]({ ask, all, last: furthest.last, position })
}

const EXPLAIN: Record<Filter, (dropped: Dropped) => Reason> = {
  region: () => because('waiting_machine_gone', {}),
  sharing: ({ ask }) => (pathsAsked(ask.spec).length > 0 ? because('waiting_folders', {}) : because('waiting_not_shared', {})),
  isolation: ({ last }) => because('waiting_isolation', { machines: last.length }),
  online: awayReason,
  runtime: ({ ask, last }) => because('waiting_runtime', { runtime: ask.spec.runtime, machines: last.length }),
  gpu_class: classReason,
  devices: devicesReason,
  cpu: ({ ask, last }) => {
    const best = roomiest(last, { asked: ask.spec.cpus, free: freeCpus, total: (c) => c.machine.inventory?.cpus ?? 0 })
    return because('waiting_cpu', { asked: ask.spec.cpus, ...best })
  },
  memory: ({ ask, last }) => {
    const asked = ask.spec.memoryBytes
    const best = roomiest(last, { asked, free: freeMemory, total: (c) => c.machine.inventory?.memoryBytes ?? 0 })
    return because('waiting_memory', { askedBytes: asked, freeBytes: best.free, totalBytes: best.total })
  },
  disk: ({ ask, last }) => {
    const asked = ask.spec.diskBytes
    const best = roomiest(last, { asked, free: freeDisk, total: (c) => c.machine.inventory?.diskBytes ?? 0 })
    return because('waiting_disk', { askedBytes: asked, freeBytes: best.free, totalBytes: best.total })
  },
  workspace: () => because('waiting_machine_gone', {}),
}

function awayReason({ ask, last }: Dropped): Reason {
  const machine = last[0]?.machine
  if (!machine || (ask.pinnedMachineId === null && ask.spec.machineId === null))
    return because('waiting_machines_away', { machines: last.length })
  if (machine.isConnected) return because('waiting_machine_closed', { machine: machine.name })
  const code = ask.pinnedMachineId === null ? 'waiting_chosen_away' : 'waiting_machine_away'
  return because(code, { machine: machine.name })
}

/** None exist, or some exist that an earlier filter dropped (away, not shared, too weak). */
function classReason({ ask, all, last }: Dropped): Reason {
  const name = ask.spec.gpu?.class ?? null
  const having = all.filter((c) => matchingDevices(ask, c).length > 0)
  if (having.length > 0) return because('waiting_gpu_class_elsewhere', { class: name ?? 'a GPU', machines: having.length })
  if (name === null) return because('waiting_no_gpus', { machines: all.length })
  return because('waiting_no_gpu_class', { class: name, machines: Math.max(all.length, last.length) })
}

function devicesReason({ ask, last, position }: Dropped): Reason {
  const asked = ask.spec.gpu?.count ?? 0
  const name = ask.spec.gpu?.class ?? 'a GPU'
  const largest = Math.max(...last.map((c) => largestGroup(ask, c)))
  if (asked > largest) return because('waiting_gpus_too_many', { class: name, asked, largest })
  const free = last.reduce((sum, c) => sum + freeDevices(c).filter((d) => matchingDevices(ask, c).includes(d)).length, 0)
  return because('waiting_all_busy', { class: name, devices: asked, free, machines: last.length, position })
}

/** Devices of one class on one machine, busy ones too: a workload never mixes classes. */
function largestGroup(ask: Ask, candidate: Candidate): number {
  const classes = matchingDevices(ask, candidate).map((d) => deviceClass(d, ask.catalog))
  const accepted = ask.spec.gpu ? acceptedClasses(ask.spec.gpu, ask.catalog) : null
  const names = accepted ?? [...new Set(classes)]
  return Math.max(0, ...names.map((name) => classes.filter((c) => c === name).length))
}

/** Of the machines that are large enough the one with the most free; when none is, the largest. */
function roomiest(
  candidates: readonly Candidate[],
  of: { asked: number; free: (c: Candidate) => number; total: (c: Candidate) => number },
): { free: number; total: number } {
  const sized = candidates.map((c) => ({ free: of.free(c), total: of.total(c) }))
  const enough = sized.filter((s) => s.total >= of.asked).sort((a, b) => b.free - a.free || b.total - a.total)
  const largest = sized.sort((a, b) => b.total - a.total || b.free - a.free)
  return enough[0] ?? largest[0] ?? { free: 0, total: 0 }
}
