import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { until } from './cgroup-files'
import { openV2 } from './cgroups-v2'
import { openCgroups } from './open-cgroups'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cg-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const limits = { cpus: 2, memoryBytes: 1 << 30, processesMax: 77 }
const text = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

describe('control groups of the second version', () => {
  beforeEach(() => {
    writeFileSync(join(root, 'cgroup.controllers'), 'cpu memory pids')
    writeFileSync(join(root, 'cgroup.subtree_control'), '')
    mkdirSync(join(root, 'berth'))
    writeFileSync(join(root, 'berth/cgroup.freeze'), '0')
  })

  it('set every limit before the first process joins', () => {
    const cgroups = openCgroups(root)
    expect([cgroups.enforces, cgroups.canPause]).toEqual([['cpu', 'memory', 'pids'], true])
    expect(cgroups.create('a', limits)).toEqual([join(root, 'berth/a/cgroup.procs')])
    expect([text('berth/a/memory.max'), text('berth/a/pids.max'), text('berth/a/cpu.max')]).toEqual([
      '1073741824',
      '77',
      '200000 100000',
    ])
    expect(text('berth/a/memory.oom.group')).toBe('1')
  })

  it('are read for frozen processes and for kills by memory', () => {
    const cgroups = openCgroups(root)
    cgroups.create('a', limits)
    writeFileSync(join(root, 'berth/a/cgroup.events'), 'populated 1\nfrozen 1\n')
    writeFileSync(join(root, 'berth/a/memory.events'), 'low 0\noom 1\noom_kill 3\n')
    expect([cgroups.isFrozen('a'), cgroups.memoryKills('a')]).toEqual([true, 3])
    expect([cgroups.isFrozen('gone'), cgroups.memoryKills('gone')]).toEqual([false, 0])
  })
})

it('processes that cannot be frozen in time run on, so that they can be ended', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  let ordered = 'FROZEN'
  const pausing = until(
    () => false,
    () => {
      ordered = 'THAWED'
    },
  )
  vi.setSystemTime(Date.now() + 60_000)
  await expect(pausing).rejects.toThrow('could not be frozen')
  vi.useRealTimers()
  expect(ordered).toBe('THAWED')
})

const ran = (tool: string, args: string[]) => spawnSync(tool, args).status === 0

/** A second hierarchy of the second version, where this machine lets us have one. */
function mountV2(at: string): boolean {
  return process.getuid?.() === 0 && ran('mount', ['-t', 'cgroup2', 'none', at])
}

describe('control groups of this machine, second version', () => {
  it('freeze and thaw a real process, without any controller; claim nothing where there are none', async () => {
    if (!mountV2(root)) return expect(openV2(root, '/').canPause).toBe(false)
    const name = `t${process.pid}`
    try {
      mkdirSync(join(root, name))
      const cgroups = openV2(join(root, name), '/')
      expect(cgroups.canPause).toBe(true)
      const [procs = ''] = cgroups.create('a', limits)
      const child = spawn('/bin/sh', ['-c', 'echo $$ >"$1"; i=0; while :; do i=$((i + 1)); done', 'x', procs])
      await expect.poll(() => (cgroups.use('a').cpuMs ?? 0) > 0).toBe(true)
      await cgroups.setFrozen('a', true)
      const [frozen, before] = [cgroups.isFrozen('a'), cgroups.use('a').cpuMs]
      for (let i = 0; i < 50; i++) spawnSync('true')
      expect([frozen, cgroups.use('a').cpuMs]).toEqual([true, before])
      await cgroups.setFrozen('a', false)
      await expect.poll(() => (cgroups.use('a').cpuMs ?? 0) > (before ?? 0)).toBe(true)
      child.kill('SIGKILL')
      await cgroups.remove('a')
      expect(existsSync(procs)).toBe(false)
    } finally {
      for (const dir of [`${name}/berth/a`, `${name}/berth`, name]) spawnSync('rmdir', [join(root, dir)])
      ran('umount', [root])
    }
  })

  it('take a group that was given to this user where the root is not', () => {
    mkdirSync(join(root, 'user/service'), { recursive: true })
    writeFileSync(join(root, 'berth'), 'no folder can be made here')
    const cgroups = openV2(root, '/user/service')
    expect(cgroups.create('a', limits)).toEqual([join(root, 'user/berth/a/cgroup.procs')])
  })
})

describe('control groups of the first version', () => {
  it('are used as far as they are there, and nothing else is claimed', () => {
    for (const name of ['memory', 'pids']) {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, 'tasks'), '')
    }
    const cgroups = openCgroups(root)
    expect([cgroups.enforces, cgroups.canPause]).toEqual([['memory', 'pids'], false])
    expect(cgroups.create('a', limits)).toEqual(['memory', 'pids'].map((name) => join(root, name, 'berth/a/cgroup.procs')))
    expect([text('memory/berth/a/memory.limit_in_bytes'), text('pids/berth/a/pids.max')]).toEqual(['1073741824', '77'])
  })

  it('count CPU time and memory without caches, and say what nothing counts', () => {
    for (const name of ['memory', 'cpuacct']) {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, 'tasks'), '')
    }
    const cgroups = openCgroups(root)
    cgroups.create('a', limits)
    writeFileSync(join(root, 'cpuacct/berth/a/cpuacct.usage'), '2500000000\n')
    writeFileSync(join(root, 'memory/berth/a/memory.usage_in_bytes'), '1000\n')
    writeFileSync(join(root, 'memory/berth/a/memory.stat'), 'cache 500\ntotal_inactive_file 300\n')
    writeFileSync(join(root, 'memory/berth/a/memory.max_usage_in_bytes'), '4000\n')
    expect([cgroups.use('a'), cgroups.memoryPeak('a')]).toEqual([{ cpuMs: 2500, memoryBytes: 700 }, 4000])
    expect([cgroups.use('gone'), cgroups.memoryPeak('gone')]).toEqual([{ cpuMs: null, memoryBytes: null }, null])
  })

  it('enforce nothing where there are none', async () => {
    const cgroups = openCgroups(root)
    expect([cgroups.enforces, cgroups.canPause, cgroups.create('a', limits)]).toEqual([[], false, []])
    await cgroups.remove('a')
    expect(existsSync(join(root, 'berth'))).toBe(false)
  })
})
