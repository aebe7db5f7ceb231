import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { canUse, counter, get, numberOf, PROCS, put, removeAll, until } from './cgroup-files'
import { type CgroupLimits, type Cgroups, CPU_PERIOD_US, type Enforced, PARENT } from './cgroups'

const CONTROLLERS = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer'] as const
type Controller = (typeof CONTROLLERS)[number]
const ENFORCING: readonly Enforced[] = ['cpu', 'memory', 'pids']

/** One hierarchy for each controller; those that are there and ours are used. */
export function openV1(root: string): Cgroups {
  const has = CONTROLLERS.filter((name) => existsSync(join(root, name, 'tasks')) && canUse(join(root, name, PARENT)))
  const dir = (name: Controller, id: string) => join(root, name, PARENT, id)
  const frozen = (id: string) => get(dir('freezer', id), 'freezer.state').trim()
  return {
    enforces: ENFORCING.filter((name) => has.some((own) => own === name)),
    canPause: has.includes('freezer'),
    create: (id, asked) =>
      has.map((name) => {
        mkdirSync(dir(name, id), { recursive: true })
        LIMIT[name](dir(name, id), asked)
        return join(dir(name, id), PROCS)
      }),
    setFrozen: async (id, isFrozen) => {
      const state = isFrozen ? 'FROZEN' : 'THAWED'
      const order = (wanted: string) => put(dir('freezer', id), 'freezer.state', wanted)
      order(state)
      await until(
        () => frozen(id) === state,
        () => order('THAWED'),
      )
    },
    isFrozen: (id) => frozen(id) === 'FROZEN',
    memoryKills: (id) => counter(get(dir('memory', id), 'memory.oom_control'), 'oom_kill'),
    memoryPeak: (id) => numberOf(dir('memory', id), 'memory.max_usage_in_bytes'),
    use: (id) => ({ cpuMs: cpuMs(dir('cpuacct', id)), memoryBytes: memoryBytes(dir('memory', id)) }),
    remove: (id) => removeAll(has.map((name) => dir(name, id))),
  }
}

const nothing = () => undefined
const LIMIT: Record<Controller, (path: string, limits: CgroupLimits) => void> = {
  memory: (path, { memoryBytes }) => {
    put(path, 'memory.limit_in_bytes', memoryBytes)
    if (existsSync(join(path, 'memory.memsw.limit_in_bytes'))) put(path, 'memory.memsw.limit_in_bytes', memoryBytes)
  },
  pids: (path, { processesMax }) => put(path, 'pids.max', processesMax),
  cpu: (path, { cpus }) => {
    put(path, 'cpu.cfs_period_us', CPU_PERIOD_US)
    put(path, 'cpu.cfs_quota_us', cpus * CPU_PERIOD_US)
  },
  cpuacct: nothing,
  freezer: nothing,
}

function cpuMs(dir: string): number | null {
  const nanoseconds = numberOf(dir, 'cpuacct.usage')
  return nanoseconds === null ? null : nanoseconds / 1e6
}

function memoryBytes(dir: string): number | null {
  const bytes = numberOf(dir, 'memory.usage_in_bytes')
  return bytes === null ? null : Math.max(0, bytes - counter(get(dir, 'memory.stat'), 'total_inactive_file'))
}
