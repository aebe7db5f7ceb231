import os from 'node:os'
import { LIMITS } from '@/domain/limits'
import type { Device, DriverOffer, Inventory, MachineUse, RegistryHost, RuntimeOffer } from '@/domain/machines'
import type { Log } from '@/kit/log'
import { pause } from '@/kit/loop'
import type { Means } from '../check-start'
import { readGpus } from './gpus'
import { clip } from './text'
import { readTools } from './tools'
import { diskSpace, UseMeter } from './use'

/** What a driver says of this machine. */
export type Offers = {
  drivers: readonly DriverOffer[]
  runtimes: readonly RuntimeOffer[]
  /** Limits that it can hold its instances to here. */
  enforces: Inventory['enforces']
  /** Versions of what it runs things with, where it chose them itself. */
  tools?: Readonly<Record<string, string>>
  registries?: readonly RegistryHost[]
}

type InventoryDeps = {
  dataDir: string
  agentVersion: string
  /** One per driver; asked again every ten minutes. */
  offers: readonly (() => Promise<Offers>)[]
  /** UUIDs of the GPUs that instances of ours hold. */
  devicesInUse: () => readonly string[]
  log: Log
}

const SLOW_EVERY_MS = 600_000
const GPUS_EVERY_MS = 10_000

/** What this machine is and has. Slow questions are asked in the background; an answer never waits for them. */
export class MachineInventory {
  readonly #deps: InventoryDeps
  readonly #meter: UseMeter
  #devices: Device[] = []
  #tools: Record<string, string> = {}
  #offers: Offers[] = []
  #slowAt = Number.NEGATIVE_INFINITY
  constructor(deps: InventoryDeps) {
    this.#deps = deps
    this.#meter = new UseMeter(deps.dataDir)
  }

  /** Asks everything once; then keeps it fresh until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.refresh().catch((error: unknown) => this.#deps.log.warn('inventory not refreshed', { error }))
      await pause(GPUS_EVERY_MS, signal)
    }
  }

  async refresh(): Promise<void> {
    this.#devices = await readGpus(this.#deps.devicesInUse())
    if (performance.now() - this.#slowAt < SLOW_EVERY_MS) return
    this.#slowAt = performance.now()
    const [tools, offers] = await Promise.all([readTools(), Promise.all(this.#deps.offers.map((ask) => this.#ask(ask)))])
    this.#tools = fitting(Object.assign(tools, ...offers.map((o) => o.tools ?? {})))
    // A busy machine may only have been slow to answer: what is found broken is asked once more with the next round.
    if (offers.some((now, i) => isLess(now, this.#offers[i]))) this.#slowAt = Number.NEGATIVE_INFINITY
    this.#offers = offers
  }

  /** A driver that cannot say what it offers offers nothing. */
  async #ask(offers: () => Promise<Offers>): Promise<Offers> {
    try {
      return await offers()
    } catch (error) {
      this.#deps.log.error('a driver does not say what it offers', { error })
      return { drivers: [], runtimes: [], enforces: [] }
    }
  }

  /** One sample; the share of CPU is since the sample before. */
  use(): Promise<MachineUse> {
    return this.#meter.sample()
  }

  /** Never throws for odd text of the machine: what is too long is cut. */
  async read(): Promise<Inventory> {
    const disk = await diskSpace(this.#deps.dataDir)
    return {
      os: clip(`${os.type()} ${os.release()}`),
      arch: clip(os.arch()),
      hostname: clip(os.hostname()),
      cpus: cpuCount(),
      cpuModel: clip(os.cpus()[0]?.model ?? 'unknown'),
      memoryBytes: memoryBytes(),
      diskBytes: disk.bytes,
      diskFreeBytes: disk.freeBytes,
      devices: this.#devices,
      drivers: this.#drivers(),
      runtimes: mergeRuntimes(this.#offers.flatMap((o) => o.runtimes)),
      enforces: [...new Set(this.#offers.flatMap((o) => o.enforces))],
      tools: this.#tools,
      registries: this.#offers.flatMap((o) => o.registries ?? []).slice(0, LIMITS.registries),
      agentVersion: clip(this.#deps.agentVersion),
    }
  }

  /** What the machine can give to a start now. */
  means(): Means {
    const inUse = this.#deps.devicesInUse()
    const free = this.#devices.filter((d) => d.state === 'free' && !inUse.includes(d.uuid))
    return { drivers: this.#drivers(), freeDevices: free.map((d) => d.uuid), cpus: cpuCount(), memoryBytes: memoryBytes() }
  }

  #drivers(): DriverOffer[] {
    return this.#offers.flatMap((o) => o.drivers).slice(0, 8)
  }
}

/** Is something missing or broken that was not so at the look before? */
function isLess({ drivers }: Offers, before: Offers | undefined): boolean {
  const wasBroken = (row: string) => before?.drivers.some((d) => d.row === row && !d.works) === true
  return drivers.length < (before?.drivers.length ?? 1) || drivers.some((d) => !d.works && !wasBroken(d.row))
}

/** One row a runtime: it works if one driver can run it, else the first says what is missing. */
export function mergeRuntimes(offers: readonly RuntimeOffer[]): RuntimeOffer[] {
  const merged = new Map<string, RuntimeOffer>()
  for (const offer of offers) if (offer.works || !merged.has(offer.runtime)) merged.set(offer.runtime, offer)
  return [...merged.values()].slice(0, 32)
}

/** At most 32 tools, each name and version cut to its length. */
function fitting(tools: Readonly<Record<string, string>>): Record<string, string> {
  const rows = Object.entries(tools).slice(0, 32)
  return Object.fromEntries(rows.map(([name, version]) => [clip(name).slice(0, 32), clip(version)]))
}

function cpuCount(): number {
  return Math.min(4096, Math.max(1, os.availableParallelism()))
}

/** Of the machine, or of the container that the agent runs in. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < os.totalmem() ? limit : os.totalmem()
}
