export type Enforced = 'cpu' | 'memory' | 'pids'
export type CgroupLimits = { cpus: number; memoryBytes: number; processesMax: number }
/** What a group counted; null where nothing counts it. */
export type CgroupUse = { cpuMs: number | null; memoryBytes: number | null }

/** Control groups of instances on this machine. Missing ones are said, never pretended. */
export type Cgroups = {
  readonly enforces: readonly Enforced[]
  readonly canPause: boolean
  /** Makes the groups of an instance and returns the files that its first process must join. */
  create(id: string, limits: CgroupLimits): string[]
  setFrozen(id: string, isFrozen: boolean): Promise<void>
  isFrozen(id: string): boolean
  /** Processes that the kernel ended because the memory limit was reached. */
  memoryKills(id: string): number
  /** The most that it ever held, or null. */
  memoryPeak(id: string): number | null
  /** CPU time since it began, and memory now without caches that can be dropped. */
  use(id: string): CgroupUse
  /** Removes the groups once nothing runs in them. */
  remove(id: string): Promise<void>
}

/** Name of the group that holds all of ours. */
export const PARENT = 'berth'
/** A quota of CPU time counts for this long. */
export const CPU_PERIOD_US = 100_000
