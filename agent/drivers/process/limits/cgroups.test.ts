import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

  it('enforce nothing where there are none', async () => {
    const cgroups = openCgroups(root)
    expect([cgroups.enforces, cgroups.canPause, cgroups.create('a', limits)]).toEqual([[], false, []])
    await cgroups.remove('a')
    expect(existsSync(join(root, 'berth'))).toBe(false)
  })
})
