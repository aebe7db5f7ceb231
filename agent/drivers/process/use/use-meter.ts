import type { InstanceUse } from '@/domain/machines'
import type { CgroupUse } from '../limits/cgroups'
import type { KernelLook } from './kernel-look'
import { type ProcessRow, treeUse } from './process-table'

/** An instance that is up, and where its signs of life are looked for. */
export type Subject = {
  placementId: string
  kind: 'session' | 'notebook' | 'endpoint'
  /** First process of its program; null once the program ended. */
  pid: number | null
  isFrozen: boolean
}
export type Measured = { use: InstanceUse | null; isBusy: boolean | null }
export type MeterDeps = {
  nowMs: () => number
  counted: (placementId: string) => CgroupUse
  processes: () => readonly ProcessRow[]
  terminal: (pid: number) => string | null
  kernels: (placementId: string) => Promise<KernelLook | null>
}

/** Instances are looked at no more often than that. */
const EVERY_MS = 5000
/** More than this share of a core is work. */
const WORK_CORES = 0.05
/** What was busy at one look stays so for a while: nothing is missed between two answers. */
const HOLD_MS = 30_000
/** An answer waits so long for a look that goes on, then it is given with what is known. */
const WAIT_MS = 300

type Look = { atMs: number; cpuMs: number; terminal: string | null; kernels: KernelLook | null }
type Known = { look: Look; busyAtMs: number; measured: Measured }

/** Measures instances when somebody asks, at most every five seconds, and not at all when none is up. */
export class UseMeter {
  readonly #deps: MeterDeps
  readonly #known = new Map<string, Known>()
  #begunMs = Number.NEGATIVE_INFINITY
  #pass: Promise<void> = Promise.resolve()

  constructor(deps: MeterDeps) {
    this.#deps = deps
  }

  /** Looks at these, unless that was done a moment ago. Resolves soon, whatever the look does. */
  async look(subjects: readonly Subject[]): Promise<void> {
    for (const id of [...this.#known.keys()]) if (!subjects.some((s) => s.placementId === id)) this.#known.delete(id)
    if (subjects.length === 0) return
    if (this.#deps.nowMs() - this.#begunMs >= EVERY_MS) {
      this.#begunMs = this.#deps.nowMs()
      // A look that breaks leaves what was known; the instances themselves are none of its business.
      this.#pass = this.#measureAll(subjects).catch(() => undefined)
    }
    await soon(this.#pass)
  }

  /** What the last look found; nothing is known of an instance that has not been looked at. */
  of(placementId: string): Measured {
    return this.#known.get(placementId)?.measured ?? { use: null, isBusy: null }
  }

  async #measureAll(subjects: readonly Subject[]): Promise<void> {
    let rows: readonly ProcessRow[] | null = null
    const processes = () => {
      rows ??= this.#deps.processes()
      return rows
    }
    await Promise.all(subjects.map((subject) => this.#measure(subject, processes)))
  }

  async #measure(subject: Subject, processes: () => readonly ProcessRow[]): Promise<void> {
    const { placementId, kind, pid, isFrozen } = subject
    const before = this.#known.get(placementId)
    const atMs = this.#deps.nowMs()
    const counted = this.#deps.counted(placementId)
    const tree =
      counted.cpuMs === null || counted.memoryBytes === null ? treeUse(pid === null ? [] : processes(), pid ?? 0) : null
    const cpuMs = counted.cpuMs ?? tree?.cpuMs ?? 0
    const memoryBytes = counted.memoryBytes ?? tree?.memoryBytes ?? 0
    const terminal = pid === null || kind !== 'session' ? null : this.#deps.terminal(pid)
    const kernels = kind !== 'notebook' || isFrozen || pid === null ? null : await this.#deps.kernels(placementId)
    const look = { atMs, cpuMs, terminal, kernels }
    const cores = before === undefined ? null : Math.max(0, cpuMs - before.look.cpuMs) / Math.max(1, atMs - before.look.atMs)
    const busy = isBusy(subject, { before: before?.look, look, cores })
    const busyAtMs = busy === true ? atMs : (before?.busyAtMs ?? atMs)
    const use = cores === null ? null : { cpu: Math.min(4096, cores), memoryBytes, diskBytes: null, gpus: [] }
    const held = atMs - busyAtMs < HOLD_MS ? true : busy
    this.#known.set(placementId, { look, busyAtMs, measured: { use, isBusy: held } })
  }
}

type Compared = { before: Look | undefined; look: Look; cores: number | null }

/** Pure: did something happen since the look before? Null: it cannot be told, which counts as busy. */
function isBusy({ kind, pid, isFrozen }: Subject, { before, look, cores }: Compared): boolean | null {
  if (before === undefined) return true // just found: it had no chance to show what it does
  if (pid === null || isFrozen) return false
  if (cores !== null && cores > WORK_CORES) return true
  if (kind === 'notebook') {
    if (look.kernels === null) return null
    return look.kernels.isBusy || look.kernels.activity !== before.kernels?.activity
  }
  return look.terminal === null ? null : look.terminal !== before.terminal
}

async function soon(pass: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  await Promise.race([pass, late])
  clearTimeout(timer)
}
