import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Enforced = 'cpu' | 'memory' | 'pids'
type CgroupLimits = { cpus: number; memoryBytes: number; processesMax: number }

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
  /** Removes the groups once nothing runs in them. */
  remove(id: string): Promise<void>
}

const PARENT = 'berth'
const CPU_PERIOD_US = 100_000
const FREEZE_WAIT_MS = 5000
const REMOVE_TRIES = 20
const POLL_MS = 25
const V1_CONTROLLERS = ['memory', 'pids', 'cpu', 'freezer'] as const
type V1Controller = (typeof V1_CONTROLLERS)[number]

/** Finds out, by making a group, what this machine lets the agent limit. */
export function openCgroups(root = '/sys/fs/cgroup'): Cgroups {
  if (existsSync(join(root, 'cgroup.controllers'))) return openV2(root)
  return openV1(root)
}

function openV1(root: string): Cgroups {
  const has = V1_CONTROLLERS.filter((name) => existsSync(join(root, name, 'tasks')) && canMake(join(root, name, PARENT)))
  const dir = (name: V1Controller, id: string) => join(root, name, PARENT, id)
  const limits: Record<V1Controller, (path: string, limits: CgroupLimits) => void> = {
    memory: (path, { memoryBytes }) => {
      put(path, 'memory.limit_in_bytes', memoryBytes)
      if (existsSync(join(path, 'memory.memsw.limit_in_bytes'))) put(path, 'memory.memsw.limit_in_bytes', memoryBytes)
    },
    pids: (path, { processesMax }) => put(path, 'pids.max', processesMax),
    cpu: (path, { cpus }) => {
      put(path, 'cpu.cfs_period_us', CPU_PERIOD_US)
      put(path, 'cpu.cfs_quota_us', cpus * CPU_PERIOD_US)
    },
    freezer: () => undefined,
  }
  const frozen = (id: string) => get(dir('freezer', id), 'freezer.state').trim()
  return {
    enforces: enforcedBy(has),
    canPause: has.includes('freezer'),
    create: (id, asked) =>
      has.map((name) => {
        mkdirSync(dir(name, id), { recursive: true })
        limits[name](dir(name, id), asked)
        return join(dir(name, id), 'cgroup.procs')
      }),
    setFrozen: async (id, isFrozen) => {
      const state = isFrozen ? 'FROZEN' : 'THAWED'
      put(dir('freezer', id), 'freezer.state', state)
      await until(() => frozen(id) === state)
    },
    isFrozen: (id) => frozen(id) === 'FROZEN',
    memoryKills: (id) => counter(get(dir('memory', id), 'memory.oom_control'), 'oom_kill'),
    remove: (id) => removeAll(has.map((name) => dir(name, id))),
  }
}

function openV2(root: string): Cgroups {
  const parent = join(root, PARENT)
  const wanted = ['memory', 'pids', 'cpu'] as const
  const isThere = canMake(parent) && canPut(root, '+memory +pids +cpu') && canPut(parent, '+memory +pids +cpu')
  const dir = (id: string) => join(parent, id)
  return {
    enforces: isThere ? enforcedBy(wanted) : [],
    canPause: isThere,
    create: (id, { cpus, memoryBytes, processesMax }) => {
      if (!isThere) return []
      mkdirSync(dir(id), { recursive: true })
      put(dir(id), 'memory.max', memoryBytes)
      put(dir(id), 'memory.oom.group', 1)
      put(dir(id), 'pids.max', processesMax)
      put(dir(id), 'cpu.max', `${cpus * CPU_PERIOD_US} ${CPU_PERIOD_US}`)
      return [join(dir(id), 'cgroup.procs')]
    },
    setFrozen: async (id, isFrozen) => {
      put(dir(id), 'cgroup.freeze', isFrozen ? 1 : 0)
      await until(() => counter(get(dir(id), 'cgroup.events'), 'frozen') === (isFrozen ? 1 : 0))
    },
    isFrozen: (id) => counter(get(dir(id), 'cgroup.events'), 'frozen') === 1,
    memoryKills: (id) => counter(get(dir(id), 'memory.events'), 'oom_kill'),
    remove: (id) => removeAll(isThere ? [dir(id)] : []),
  }
}

function enforcedBy(controllers: readonly string[]): Enforced[] {
  return (['cpu', 'memory', 'pids'] as const).filter((name) => controllers.includes(name))
}

/** Whoever made the parent, a group below it must be ours to make. */
function canMake(parent: string): boolean {
  const probe = join(parent, `probe-${process.pid}-${Date.now()}`)
  try {
    mkdirSync(probe, { recursive: true })
    rmdirSync(probe)
    return true
  } catch {
    return false // Read-only or not ours: this limit is not enforced here, and that is what the caller says.
  }
}

function canPut(dir: string, controllers: string): boolean {
  try {
    put(dir, 'cgroup.subtree_control', controllers)
    return true
  } catch {
    return false // As above.
  }
}

function put(dir: string, file: string, value: string | number): void {
  writeFileSync(join(dir, file), String(value))
}

function get(dir: string, file: string): string {
  try {
    return readFileSync(join(dir, file), 'utf8')
  } catch {
    return '' // The group is gone, and with it what was counted.
  }
}

function counter(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

async function until(isDone: () => boolean): Promise<void> {
  for (const end = Date.now() + FREEZE_WAIT_MS; !isDone(); await wait(POLL_MS)) {
    if (Date.now() > end) throw new Error('the processes could not be frozen in time')
  }
}

async function removeAll(dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) {
    for (let attempt = 0; existsSync(dir) && attempt < REMOVE_TRIES; attempt++) {
      if (canRemove(dir)) break
      await wait(POLL_MS)
    }
  }
}

function canRemove(dir: string): boolean {
  try {
    rmdirSync(dir)
    return true
  } catch {
    return false // Its last process is still being reaped; the caller tries again.
  }
}
