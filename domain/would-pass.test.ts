import { describe, expect, it } from 'vitest'
import { buildFunnel, type PlacementAsk } from './funnel'
import type { Candidate } from './placement'

const GIB = 2 ** 30
const now = new Date('2026-03-12T14:36:00Z')

function machine(id: string, memoryGib: number): Candidate {
  const inventory = {
    os: 'Linux',
    arch: 'x64',
    hostname: id,
    cpus: 4,
    cpuModel: 'x',
    memoryBytes: memoryGib * GIB,
    diskBytes: 100 * GIB,
    diskFreeBytes: 100 * GIB,
    devices: [],
    drivers: [{ row: 'process-sandboxed' as const, works: true, detail: null, fix: null, canPause: false }],
    runtimes: [],
    enforces: [],
    tools: {},
    agentVersion: '0',
  }
  return {
    machine: {
      id,
      tenantId: 't',
      ownerId: 'u',
      name: id,
      region: 'local',
      sharing: 'tenant',
      mountRoots: [],
      state: 'active',
      inventory,
      bootId: 'b',
      machineGen: 1,
      lastContactAt: now,
      isConnected: true,
      createdAt: now,
    },
    use: { machineId: id, cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [] },
  }
}

/** Asks for more CPUs than any machine has, and for memory that one of two has. */
function ask(trust: 'trusted' | 'untrusted'): PlacementAsk {
  const runtime = { id: 'shell', kind: 'session' as const, title: '', detail: '', drivers: ['process-sandboxed'], server: [] }
  return {
    spec: {
      runtime: 'shell',
      cpus: 64,
      memoryBytes: 16 * GIB,
      diskBytes: GIB,
      gpu: null,
      machineId: null,
      command: null,
      requirements: [],
      mounts: [],
      python: null,
    },
    kind: 'session',
    tenantId: 't',
    ownerId: 'u',
    trust,
    catalog: {
      version: 1,
      runtimes: [{ ...runtime, egress: { open: false, allow: [] }, defaultSize: 'small' }],
      sizes: [],
      classes: [],
    },
    pinnedMachineId: null,
    now,
  }
}

const candidates = [machine('a', 8), machine('b', 32)]
const rowOf = (trust: 'trusted' | 'untrusted', filter: string) =>
  buildFunnel(ask(trust), candidates).rows.find((row) => row.filter === filter)

describe('filters behind the one that left nothing', () => {
  it('say how many of the machines that came furthest would pass them', () => {
    expect(rowOf('trusted', 'cpu')).toMatchObject({ left: 0, dropped: 2 })
    expect(rowOf('trusted', 'memory')?.wouldPass).toBe(1)
    expect(rowOf('trusted', 'disk')?.wouldPass).toBe(2)
  })

  it('say nothing of the filters before it', () => {
    expect(rowOf('trusted', 'online')?.wouldPass).toBeUndefined()
    expect(rowOf('trusted', 'cpu')?.wouldPass).toBeUndefined()
  })

  it('tell an untrusted tenant nothing of capacity', () => {
    expect(rowOf('untrusted', 'memory')?.wouldPass).toBeUndefined()
  })
})
