import { catalog } from '@/domain/catalog'
import type { Ask } from '@/domain/filters'
import type { Device, Inventory, Machine } from '@/domain/machines'
import type { Candidate, CapacityUse } from '@/domain/placement'
import { workloadSpec } from '@/domain/workloads'

export const GIB = 2 ** 30
/** The fixed moment of pure tests. */
export const NOW = new Date('2026-03-02T10:00:00.000Z')
export const TENANT = '01890000-0000-7000-8000-00000000000a'
export const PERSON = '01890000-0000-7000-8000-00000000000b'

/** A small catalog whose classes have fallbacks in order. */
export const CATALOG = catalog.parse({
  version: 1,
  runtimes: [
    {
      id: 'jupyterlab',
      kind: 'notebook',
      title: 'JupyterLab',
      detail: '',
      drivers: ['process-sandboxed', 'process-plain', 'sim'],
      egress: { open: true },
      defaultSize: 'small',
    },
    {
      id: 'shell',
      kind: 'session',
      title: 'Shell',
      detail: '',
      drivers: ['process-sandboxed', 'process-plain', 'sim'],
      egress: { open: false },
      defaultSize: 'small',
    },
  ],
  sizes: [{ id: 'small', title: 'Small', cpus: 1, memoryBytes: 2 * GIB, diskBytes: GIB }],
  classes: [
    { id: 'l4-24gb', title: 'L4', match: ['l4'], memoryBytes: 24 * GIB, fallbacks: ['l40s-48gb'] },
    { id: 'l40s-48gb', title: 'L40S', match: ['l40s'], memoryBytes: 48 * GIB, fallbacks: ['a100-80gb', 'h100-80gb'] },
    { id: 'a100-80gb', title: 'A100', match: ['a100'], memoryBytes: 80 * GIB, fallbacks: ['h100-80gb'] },
    { id: 'h100-80gb', title: 'H100', match: ['h100'], memoryBytes: 80 * GIB, fallbacks: [] },
  ],
})

const MODELS: Record<string, { name: string; memoryBytes: number }> = {
  'l4-24gb': { name: 'NVIDIA L4', memoryBytes: 23_034 * 2 ** 20 },
  'l40s-48gb': { name: 'NVIDIA L40S', memoryBytes: 46_068 * 2 ** 20 },
  'a100-80gb': { name: 'NVIDIA A100-SXM4-80GB', memoryBytes: 81_920 * 2 ** 20 },
  'h100-80gb': { name: 'NVIDIA H100 80GB HBM3', memoryBytes: 81_559 * 2 ** 20 },
}

/** Devices as `nvidia-smi` names them: one of `model` for each state. */
export function gpus(machine: string, model: string, states: readonly Device['state'][]): Device[] {
  const { name, memoryBytes } = MODELS[model] ?? { name: model, memoryBytes: 8 * GIB }
  return states.map((state, index) => ({
    index,
    uuid: `GPU-${machine}-${index}`,
    name,
    class: null,
    memoryBytes,
    memoryUsedBytes: 0,
    state,
    use: 0,
  }))
}

/** An inventory of 8 CPUs, 32 GiB of memory and 100 GiB of disk, with every driver working. */
export function inventoryOf(change: Partial<Inventory> = {}): Inventory {
  return {
    os: 'Debian 12',
    arch: 'x64',
    hostname: 'box',
    cpus: 8,
    cpuModel: 'test',
    memoryBytes: 32 * GIB,
    diskBytes: 100 * GIB,
    diskFreeBytes: 80 * GIB,
    devices: [],
    drivers: [
      { row: 'process-sandboxed', works: true, detail: null, fix: null, canPause: true },
      { row: 'process-plain', works: true, detail: null, fix: null, canPause: true },
      { row: 'sim', works: true, detail: null, fix: null, canPause: true },
    ],
    runtimes: [
      { runtime: 'jupyterlab', works: true, detail: null, fix: null },
      { runtime: 'shell', works: true, detail: null, fix: null },
    ],
    enforces: ['memory'],
    tools: {},
    agentVersion: '0.1.0',
    ...change,
  }
}

/** A connected machine of the tenant; its id is its name. */
export function machineOf(name: string, change: Partial<Machine> = {}): Machine {
  return {
    id: name,
    tenantId: TENANT,
    ownerId: PERSON,
    name,
    region: 'local',
    sharing: 'tenant',
    mountRoots: [],
    state: 'active',
    inventory: inventoryOf(),
    bootId: 'boot-1',
    machineGen: 1,
    lastContactAt: NOW,
    isConnected: true,
    createdAt: NOW,
    ...change,
  }
}

export function candidateOf(machine: Machine, use: Partial<CapacityUse> = {}): Candidate {
  return {
    machine,
    use: { machineId: machine.id, cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [], ...use },
  }
}

/** Asks for a small notebook of the tenant's own person. */
export function askOf(spec: Record<string, unknown> = {}, change: Partial<Omit<Ask, 'spec'>> = {}): Ask {
  return {
    spec: workloadSpec.parse({ runtime: 'jupyterlab', cpus: 1, memoryBytes: 2 * GIB, diskBytes: GIB, ...spec }),
    kind: 'notebook',
    tenantId: TENANT,
    ownerId: PERSON,
    trust: 'trusted',
    catalog: CATALOG,
    pinnedMachineId: null,
    now: NOW,
    ...change,
  }
}

/** An own machine that is online and free, of this name. */
export function box(name = 'box'): Candidate {
  return candidateOf(machineOf(name))
}

/** The same with GPUs of one model. */
export function withGpus(name: string, model: string, states: readonly Device['state'][]): Candidate {
  return candidateOf(machineOf(name, { inventory: inventoryOf({ devices: gpus(name, model, states) }) }))
}

/** What a request says that wants so many of one class. */
export function l40s(count: number, allowFallbacks = false) {
  return { gpu: { class: 'l40s-48gb', count, allowFallbacks } }
}
