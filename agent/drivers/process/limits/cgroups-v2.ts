import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canPut, canUse, counter, get, numberOf, PROCS, put, removeAll, until } from './cgroup-files'
import { type CgroupLimits, type Cgroups, CPU_PERIOD_US, type Enforced, PARENT } from './cgroups'

const CONTROLLERS: readonly Enforced[] = ['cpu', 'memory', 'pids']

/**
 * The one hierarchy: below the root where that is ours, else below the topmost group on the way to our own that was given
 * to us (a user's service manager does). Freezing works without any controller; each limit needs its own.
 */
export function openV2(root: string, own = ownGroup()): Cgroups {
  const base = [root, ...waysTo(root, own)].find((candidate) => canUse(join(candidate, PARENT)))
  const parent = join(base ?? root, PARENT)
  const enforces = base === undefined ? [] : CONTROLLERS.filter((name) => canEnable(base, name))
  const dir = (id: string) => join(parent, id)
  return {
    enforces,
    canPause: base !== undefined && existsSync(join(parent, 'cgroup.freeze')),
    create: (id, limits) => {
      if (base === undefined) return []
      mkdirSync(dir(id), { recursive: true })
      for (const name of enforces) LIMIT[name](dir(id), limits)
      return [join(dir(id), PROCS)]
    },
    setFrozen: async (id, isFrozen) => {
      const order = (wanted: 0 | 1) => put(dir(id), 'cgroup.freeze', wanted)
      order(isFrozen ? 1 : 0)
      await until(
        () => counter(get(dir(id), 'cgroup.events'), 'frozen') === (isFrozen ? 1 : 0),
        () => order(0),
      )
    },
    isFrozen: (id) => counter(get(dir(id), 'cgroup.events'), 'frozen') === 1,
    memoryKills: (id) => counter(get(dir(id), 'memory.events'), 'oom_kill'),
    memoryPeak: (id) => numberOf(dir(id), 'memory.peak'),
    use: (id) => ({ cpuMs: cpuMs(dir(id)), memoryBytes: memoryBytes(dir(id)) }),
    remove: (id) => removeAll(base === undefined ? [] : [dir(id)]),
  }
}

const LIMIT: Record<Enforced, (path: string, limits: CgroupLimits) => void> = {
  memory: (path, { memoryBytes }) => {
    put(path, 'memory.max', memoryBytes)
    put(path, 'memory.oom.group', 1)
    // Otherwise what is over the limit goes to swap, and slows everybody down.
    if (existsSync(join(path, 'memory.swap.max'))) put(path, 'memory.swap.max', 0)
  },
  pids: (path, { processesMax }) => put(path, 'pids.max', processesMax),
  cpu: (path, { cpus }) => put(path, 'cpu.max', `${cpus * CPU_PERIOD_US} ${CPU_PERIOD_US}`),
}

/** For the children of a group its parent and itself must hand the controller down. */
function canEnable(base: string, name: Enforced): boolean {
  const file = 'cgroup.subtree_control'
  return canPut(base, file, `+${name}`) && canPut(join(base, PARENT), file, `+${name}`)
}

/** Our own group, as `/proc` names it: `/user.slice/…`. */
function ownGroup(): string {
  if (!existsSync('/proc/self/cgroup')) return '/'
  return /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/'
}

/** The groups between the root and our own, topmost first. */
function waysTo(root: string, own: string): string[] {
  const names = own.split('/').filter((name) => name !== '')
  return names.map((_, i) => join(root, ...names.slice(0, i + 1)))
}

function cpuMs(dir: string): number | null {
  const text = get(dir, 'cpu.stat')
  return text === '' ? null : counter(text, 'usage_usec') / 1000
}

function memoryBytes(dir: string): number | null {
  const bytes = numberOf(dir, 'memory.current')
  return bytes === null ? null : Math.max(0, bytes - counter(get(dir, 'memory.stat'), 'inactive_file'))
}
