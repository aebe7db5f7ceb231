import { sentence } from '@/components/ui/sentence'
import type { Catalog, Runtime, Size } from '@/domain/catalog'
import { DRIVERS, type Isolation, isIsolationEnough } from '@/domain/drivers'
import type { Inventory } from '@/domain/machines'

/** Whether something works on a machine, what is missing or what it means here, and the line that helps. */
export type Ability = { isReady: boolean; word: string; text: string | null; fix: string | null }

/** Can a machine run this runtime? Pure. */
export function runtimeAbility(inventory: Inventory, runtime: Runtime): Ability {
  const offer = inventory.runtimes.find((o) => o.runtime === runtime.id)
  if (!offer) return { isReady: false, word: 'Not yet', text: 'This machine did not look at it', fix: null }
  const text = offer.detail ? sentence(offer.detail) : offer.works ? networkText(runtime.egress) : null
  return { isReady: offer.works, word: offer.works ? 'Ready' : 'Not yet', text, fix: offer.fix }
}

/** What its workloads may reach. Pure. */
export function networkText(egress: Catalog['runtimes'][number]['egress']): string {
  if (egress.open) return 'May reach every public address'
  const n = egress.allow.length
  return n === 0 ? 'May reach package registries only' : `May reach package registries and ${n === 1 ? '1 host' : `${n} hosts`}`
}

const LIMIT_WORDS = { cpu: 'CPU', memory: 'memory', pids: 'processes', disk: 'disk' } as const
const LIMIT_NAMES = ['cpu', 'memory', 'pids', 'disk'] as const
const NO_CGROUP = 'CPU and memory need a control group that the account of Berth may write'

/** Which limits a machine holds its workloads to, and which it only watches. Pure. */
export function limitsAbility({ enforces }: Pick<Inventory, 'enforces'>): Ability {
  const held = LIMIT_NAMES.filter((limit) => enforces.includes(limit)).map((limit) => LIMIT_WORDS[limit])
  const missing = LIMIT_NAMES.filter((limit) => !enforces.includes(limit)).map((limit) => LIMIT_WORDS[limit])
  if (missing.length === 0) return { isReady: true, word: 'Enforced', text: 'All enforced', fix: null }
  const enforced = held.length === 0 ? '' : `Enforced: ${held.join(', ')}. `
  const word = held.length === 0 ? 'Watched' : 'In part'
  const why = enforces.includes('cpu') && enforces.includes('memory') ? '' : `. ${NO_CGROUP}`
  return { isReady: held.length > 0, word, text: `${enforced}Not enforced: ${missing.join(', ')}${why}`, fix: null }
}

/** May people without trust run here? By the same table that placement obeys. Pure. */
export function strangersAbility({ drivers }: Pick<Inventory, 'drivers'>): Ability {
  const isOpen = drivers.some((d) => d.works && isIsolationEnough(DRIVERS[d.row].isolation, false, 'untrusted'))
  const text = isOpen ? null : 'A sandbox is for you and people you trust, not for strangers'
  return { isReady: isOpen, word: isOpen ? 'Ready' : 'Not here', text, fix: null }
}

/** The best isolation that works here for a runtime, as placement would take it; null when nothing runs it. Pure. */
export function isolationOf(inventory: Pick<Inventory, 'drivers'>, runtime: Pick<Runtime, 'drivers'>): Isolation | null {
  const working = runtime.drivers.flatMap((row) => inventory.drivers.filter((d) => d.row === row && d.works))
  const [first] = working
  return first ? DRIVERS[first.row].isolation : null
}

/** Is a size within what a machine has at all? Pure. */
export function sizeAbility(inventory: Pick<Inventory, 'cpus' | 'memoryBytes' | 'diskBytes'>, size: Size): Ability {
  const lacks = [
    ...(size.cpus > inventory.cpus ? [`${inventory.cpus} CPUs`] : []),
    ...(size.memoryBytes > inventory.memoryBytes ? [`${gib(inventory.memoryBytes)} GiB of memory`] : []),
    ...(size.diskBytes > inventory.diskBytes ? [`${gib(inventory.diskBytes)} GiB of disk`] : []),
  ]
  if (lacks.length === 0) return { isReady: true, word: 'Fits', text: null, fix: null }
  return { isReady: false, word: 'Too large', text: `has ${lacks.join(', ')}`, fix: null }
}

function gib(bytes: number): number {
  return Math.floor((bytes / 2 ** 30) * 10) / 10
}
