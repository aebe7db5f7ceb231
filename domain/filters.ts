import type { Catalog } from './catalog'
import type { DriverRow } from './drivers'
import { DRIVERS, isIsolationEnough } from './drivers'
import { foldersRefused } from './folders'
import { acceptedClasses, deviceClass } from './gpu-class'
import type { Kind, Trust } from './kinds'
import type { Device, Inventory } from './machines'
import type { Candidate, Filter } from './placement'
import { FILTER_NAMES } from './placement'
import { notSharedWith } from './sharing'
import type { WorkloadSpec } from './workloads'

/** What placement needs to know of a workload. Pure input: `now` is given, nothing is read. */
export type Ask = {
  spec: WorkloadSpec
  kind: Kind
  tenantId: string
  ownerId: string
  trust: Trust
  catalog: Catalog
  /** The machine that holds the workspace: a pin is never relaxed. */
  pinnedMachineId: string | null
  now: Date
}

/** How a workload would sit on a machine that every filter let through. */
export type Fit = {
  driver: DriverRow
  placedClass: string | null
  /** UUIDs of the devices it would get. */
  devices: readonly string[]
  /** Free devices and bytes of memory that would be left. */
  devicesLeft: number
  memoryLeftBytes: number
}

/** What the filters say about one machine: which one dropped it and why in a few words, or how it fits. */
export type Verdict = { droppedBy: Filter; detail: string; fit: null } | { droppedBy: null; detail: string; fit: Fit }

/** Applies every filter in the order of FILTERS; the first that drops the machine is the answer. */
export function examine(ask: Ask, candidate: Candidate): Verdict {
  for (const filter of FILTER_NAMES) {
    const detail = DROP[filter](ask, candidate)
    if (detail !== null) return { droppedBy: filter, detail, fit: null }
  }
  const driver = usableDrivers(ask, candidate)[0]
  const group = deviceGroups(ask, candidate)[0]
  if (!driver || !group) return { droppedBy: 'runtime', detail: 'no driver', fit: null }
  const devices = group.free.slice(0, ask.spec.gpu?.count ?? 0).map((d) => d.uuid)
  const fit: Fit = {
    driver,
    placedClass: ask.spec.gpu ? group.class : null,
    devices,
    devicesLeft: freeDevices(candidate).length - devices.length,
    memoryLeftBytes: freeMemory(candidate) - ask.spec.memoryBytes,
  }
  return { droppedBy: null, detail: fit.placedClass ? `fits with ${fit.placedClass}` : 'fits', fit }
}

/** Would this one filter alone let the machine through? */
export function passes(ask: Ask, candidate: Candidate, filter: Filter): boolean {
  return DROP[filter](ask, candidate) === null
}

/** Other tenants' machines do not exist unless they are shared with everyone. */
export function isVisible(ask: Ask, candidate: Candidate): boolean {
  return candidate.machine.tenantId === ask.tenantId || candidate.machine.sharing === 'everyone'
}

/** CPUs that no workload of this machine asked for. */
export function freeCpus({ machine, use }: Candidate): number {
  return Math.max(0, (machine.inventory?.cpus ?? 0) - use.cpus)
}

/** Memory that no workload of this machine asked for, in bytes. */
export function freeMemory({ machine, use }: Candidate): number {
  return Math.max(0, (machine.inventory?.memoryBytes ?? 0) - use.memoryBytes)
}

/** What is free now, and never more than what is not promised to others. */
export function freeDisk({ machine, use }: Candidate): number {
  const { diskFreeBytes, diskBytes } = machine.inventory ?? { diskFreeBytes: 0, diskBytes: 0 }
  return Math.max(0, Math.min(diskFreeBytes, diskBytes - use.diskBytes))
}

/** Measured free and given to nobody: a foreign, busy or wedged device is never one. */
export function freeDevices({ machine, use }: Candidate): Device[] {
  return (machine.inventory?.devices ?? []).filter((d) => d.state === 'free' && !use.devices.includes(d.uuid))
}

/** All devices of a machine that are of an accepted class, whatever their state. */
export function matchingDevices(ask: Ask, candidate: Candidate): Device[] {
  const gpu = ask.spec.gpu
  if (!gpu) return []
  const accepted = acceptedClasses(gpu, ask.catalog)
  return (candidate.machine.inventory?.devices ?? []).filter((d) => {
    const ofClass = deviceClass(d, ask.catalog)
    return accepted === null || (ofClass !== null && accepted.includes(ofClass))
  })
}

/** 24 → "24", 23.54 → "23.5": gigabytes of 2^30 bytes for people. */
export function gigabytes(bytes: number): string {
  return String(Math.round((bytes / 2 ** 30) * 10) / 10)
}

/** Null: passes. Otherwise what to say of the machine that it drops. */
const DROP: Record<Filter, (ask: Ask, candidate: Candidate) => string | null> = {
  region: (ask, { machine }) =>
    ask.spec.machineId === null || ask.spec.machineId === machine.id ? null : 'not the chosen machine',
  sharing: dropBySharing,
  isolation: dropByIsolation,
  online: dropByOnline,
  runtime: dropByRuntime,
  gpu_class: dropByClass,
  devices: dropByDevices,
  cpu: (ask, c) => (freeCpus(c) >= ask.spec.cpus ? null : `${freeCpus(c)} of ${c.machine.inventory?.cpus ?? 0} free`),
  memory: (ask, c) =>
    freeMemory(c) >= ask.spec.memoryBytes
      ? null
      : `${gigabytes(freeMemory(c))} of ${gigabytes(c.machine.inventory?.memoryBytes ?? 0)} GiB free`,
  disk: (ask, c) =>
    freeDisk(c) >= ask.spec.diskBytes
      ? null
      : `${gigabytes(freeDisk(c))} of ${gigabytes(c.machine.inventory?.diskBytes ?? 0)} GiB free`,
  workspace: (ask, { machine }) =>
    ask.pinnedMachineId === null || ask.pinnedMachineId === machine.id ? null : 'the workspace is on another machine',
}

function dropBySharing(ask: Ask, { machine }: Candidate): string | null {
  return notSharedWith(machine, ask) ?? foldersRefused(ask, machine)
}

function dropByIsolation(ask: Ask, candidate: Candidate): string | null {
  const enough = enoughDrivers(ask, candidate)
  if (runtimeDrivers(ask).length === 0) return null
  if (enough.length === 0) return 'its isolation is too weak for you'
  const works = workingDrivers(ask, candidate)
  if (works.length === 0 || works.some((row) => enough.includes(row))) return null
  return works.every((row) => DRIVERS[row].isolation === 'none') ? 'runs without a sandbox' : 'its isolation is too weak for you'
}

function dropByOnline(ask: Ask, { machine }: Candidate): string | null {
  if (machine.lastContactAt === null) return 'never connected'
  if (!machine.isConnected) return `offline ${sinceText(ask.now.getTime() - machine.lastContactAt.getTime())}`
  if (machine.state !== 'active') return machine.state
  return machine.inventory === null ? 'no inventory yet' : null
}

function dropByRuntime(ask: Ask, candidate: Candidate): string | null {
  if (usableDrivers(ask, candidate).length > 0) return null
  const offer = runtimeOffer(ask, candidate.machine.inventory)
  if (offer && !offer.works) return offer.detail ?? `cannot run ${ask.spec.runtime}`
  const offers = candidate.machine.inventory?.drivers ?? []
  const broken = offers.find((o) => !o.works && runtimeDrivers(ask).includes(o.row))
  return broken?.detail ?? `no driver for ${ask.spec.runtime}`
}

function dropByClass(ask: Ask, candidate: Candidate): string | null {
  if (!ask.spec.gpu || matchingDevices(ask, candidate).length > 0) return null
  const devices = candidate.machine.inventory?.devices ?? []
  const first = devices[0]
  if (!first) return 'no GPU'
  const has = deviceClass(first, ask.catalog) ?? first.name
  const asked = ask.catalog.classes.find((c) => c.id === ask.spec.gpu?.class)
  if (asked && first.memoryBytes < asked.memoryBytes * 0.9)
    return `${has}, ${gigabytes(first.memoryBytes)} of ${gigabytes(asked.memoryBytes)} GiB`
  return `${has}, ${freeDevices(candidate).length} free`
}

function dropByDevices(ask: Ask, candidate: Candidate): string | null {
  if (!ask.spec.gpu || deviceGroups(ask, candidate).length > 0) return null
  const matching = matchingDevices(ask, candidate)
  const free = freeDevices(candidate).filter((d) => matching.includes(d)).length
  const foreign = matching.filter((d) => d.state === 'foreign').length
  const wedged = matching.filter((d) => d.state === 'wedged').length
  if (foreign + wedged === 0) return `${free} of ${matching.length} free`
  const why = [foreign > 0 ? `${foreign} in use outside Berth` : null, wedged > 0 ? `${wedged} wedged` : null]
  return `${free} of ${matching.length} free, ${why.filter((w) => w !== null).join(', ')}`
}

/** Groups of free devices of one class that hold the ask, the preferred one first; one empty group when no GPU is asked. */
function deviceGroups(ask: Ask, candidate: Candidate): { class: string | null; free: Device[] }[] {
  const gpu = ask.spec.gpu
  if (!gpu) return [{ class: null, free: [] }]
  const matching = matchingDevices(ask, candidate)
  const groups = new Map<string | null, Device[]>()
  for (const d of freeDevices(candidate).filter((free) => matching.includes(free))) {
    const ofClass = deviceClass(d, ask.catalog)
    groups.set(ofClass, [...(groups.get(ofClass) ?? []), d])
  }
  const enough = [...groups].map(([name, free]) => ({ class: name, free })).filter((g) => g.free.length >= gpu.count)
  const accepted = acceptedClasses(gpu, ask.catalog)
  const rank = (g: { class: string | null; free: Device[] }) => (accepted ? accepted.indexOf(g.class ?? '') : g.free.length)
  return enough.sort((a, b) => rank(a) - rank(b) || (a.class ?? '').localeCompare(b.class ?? ''))
}

function runtimeDrivers(ask: Ask): DriverRow[] {
  const names = ask.catalog.runtimes.find((r) => r.id === ask.spec.runtime)?.drivers ?? []
  return names.filter((name): name is DriverRow => name in DRIVERS)
}

/** Driver rows of the runtime, best first, whose isolation is enough on this machine for this person. */
function enoughDrivers(ask: Ask, { machine }: Candidate): DriverRow[] {
  const isOwn = machine.ownerId === ask.ownerId && machine.tenantId === ask.tenantId
  return runtimeDrivers(ask).filter((row) => isIsolationEnough(DRIVERS[row].isolation, isOwn, ask.trust))
}

function workingDrivers(ask: Ask, { machine }: Candidate): DriverRow[] {
  const works = (machine.inventory?.drivers ?? []).filter((o) => o.works).map((o) => o.row)
  return runtimeDrivers(ask).filter((row) => works.includes(row))
}

/** Enough, working, and the runtime's own needs are met; `sim` runs nothing and needs nothing. */
function usableDrivers(ask: Ask, candidate: Candidate): DriverRow[] {
  const works = workingDrivers(ask, candidate)
  const isRuntimeReady = runtimeOffer(ask, candidate.machine.inventory)?.works ?? true
  return enoughDrivers(ask, candidate).filter((row) => works.includes(row) && (isRuntimeReady || row === 'sim'))
}

function runtimeOffer(ask: Ask, inventory: Inventory | null) {
  return inventory?.runtimes.find((r) => r.runtime === ask.spec.runtime)
}

function sinceText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 1) return 'under 1 min'
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
