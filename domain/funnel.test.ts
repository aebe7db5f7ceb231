import { describe, expect, it } from 'vitest'
import { askOf, box, candidateOf, GIB, gpus, inventoryOf, l40s, machineOf, NOW, withGpus } from '@/testing/candidates'
import { buildFunnel, checkPlacement, chooseMachine } from './funnel'
import type { Candidate } from './placement'
import { FILTER_NAMES } from './placement'
import { reasonText } from './reasons'

const twoMinutesAgo = new Date(NOW.getTime() - 125_000)

describe('checkPlacement', () => {
  const foreignBox = machineOf('theirs', { ownerId: 'someone', sharing: 'tenant' })
  const plainOnly = inventoryOf({ drivers: [{ row: 'process-plain', works: true, detail: null, fix: null, canPause: false }] })
  const brokenSandbox = inventoryOf({
    drivers: [{ row: 'process-sandboxed', works: false, detail: 'bubblewrap is missing', fix: null, canPause: false }],
  })
  const noPython = inventoryOf({ runtimes: [{ runtime: 'jupyterlab', works: false, detail: 'no Python 3.11', fix: null }] })
  const noSim = { ...noPython, drivers: noPython.drivers.filter((d) => d.row !== 'sim') }

  it.each<[string, ReturnType<typeof askOf>, Candidate, string, string]>([
    [
      'the chosen machine is another one',
      askOf({ machineId: '01890000-0000-7000-8000-0000000000ff' }),
      box(),
      'region',
      'not the chosen machine',
    ],
    ['it is for its owner only', askOf(), candidateOf({ ...foreignBox, sharing: 'owner' }), 'sharing', 'its owner only'],
    [
      'it shows its folders to its owner only',
      askOf({ mounts: [{ path: '/home/m/data' }] }),
      candidateOf({ ...foreignBox, mountRoots: ['/home/m'] }),
      'sharing',
      'shows its folders to its owner only',
    ],
    [
      'a folder lies beside the allowed ones',
      askOf({ mounts: [{ path: '/home/m/data' }, { path: '/home/mary' }] }),
      candidateOf(machineOf('own', { mountRoots: ['/home/m'] })),
      'sharing',
      'does not allow all of the folders',
    ],
    [
      'the interpreter lies elsewhere',
      askOf({ python: '/opt/venv/bin/python' }),
      candidateOf(machineOf('own', { mountRoots: ['/home/m'] })),
      'sharing',
      'does not allow all of the folders',
    ],
    ['it belongs to another tenant', askOf(), candidateOf(machineOf('x', { tenantId: 'other' })), 'sharing', 'another tenant'],
    [
      'only a plain process on someone else’s machine',
      askOf(),
      candidateOf({ ...foreignBox, inventory: plainOnly }),
      'isolation',
      'runs without a sandbox',
    ],
    [
      'a sandbox for an untrusted tenant elsewhere',
      askOf({}, { trust: 'untrusted' }),
      candidateOf(foreignBox),
      'isolation',
      'its isolation is too weak for you',
    ],
    [
      'it never connected',
      askOf(),
      candidateOf(machineOf('x', { lastContactAt: null, isConnected: false })),
      'online',
      'never connected',
    ],
    [
      'it is away',
      askOf(),
      candidateOf(machineOf('x', { isConnected: false, lastContactAt: twoMinutesAgo })),
      'online',
      'offline 2 min',
    ],
    ['it is draining', askOf(), candidateOf(machineOf('x', { state: 'draining' })), 'online', 'draining'],
    ['it has not told its inventory', askOf(), candidateOf(machineOf('x', { inventory: null })), 'online', 'no inventory yet'],
    [
      'its driver does not work',
      askOf(),
      candidateOf(machineOf('x', { inventory: brokenSandbox })),
      'runtime',
      'bubblewrap is missing',
    ],
    ['it lacks what the runtime needs', askOf(), candidateOf(machineOf('x', { inventory: noSim })), 'runtime', 'no Python 3.11'],
    ['the catalog does not know the runtime', askOf({ runtime: 'nope' }), box(), 'runtime', 'no driver for nope'],
    ['it has no GPU', askOf(l40s(1)), box(), 'gpu_class', 'no GPU'],
    ['its class is smaller', askOf(l40s(1)), withGpus('x', 'l4-24gb', ['free']), 'gpu_class', 'l4-24gb, 22.5 of 48 GiB'],
    [
      'its class is larger and not asked',
      askOf(l40s(1)),
      withGpus('x', 'h100-80gb', ['free', 'busy']),
      'gpu_class',
      'h100-80gb, 1 free',
    ],
    ['its GPUs are busy', askOf(l40s(1)), withGpus('x', 'l40s-48gb', ['busy']), 'devices', '0 of 1 free'],
    [
      'one of four is free and two are asked',
      askOf(l40s(2)),
      withGpus('x', 'l40s-48gb', ['busy', 'busy', 'busy', 'free']),
      'devices',
      '1 of 4 free',
    ],
    ['a GPU is wedged', askOf(l40s(1)), withGpus('x', 'l40s-48gb', ['busy', 'wedged']), 'devices', '0 of 2 free, 1 wedged'],
    [
      'a GPU is used by something else',
      askOf(l40s(1)),
      withGpus('x', 'l40s-48gb', ['foreign']),
      'devices',
      '0 of 1 free, 1 in use outside Berth',
    ],
    ['its CPUs are taken', askOf({ cpus: 4 }), candidateOf(machineOf('x'), { cpus: 6 }), 'cpu', '2 of 8 free'],
    [
      'its memory is taken',
      askOf({ memoryBytes: 30 * GIB }),
      candidateOf(machineOf('x'), { memoryBytes: 8 * GIB }),
      'memory',
      '24 of 32 GiB free',
    ],
    ['its disk is full', askOf({ diskBytes: 90 * GIB }), box(), 'disk', '80 of 100 GiB free'],
    [
      'its disk is promised',
      askOf({ diskBytes: 50 * GIB }),
      candidateOf(machineOf('x'), { diskBytes: 60 * GIB }),
      'disk',
      '40 of 100 GiB free',
    ],
    [
      'the workspace is elsewhere',
      askOf({}, { pinnedMachineId: 'y' }),
      box(),
      'workspace',
      'the workspace is on another machine',
    ],
  ])('drops a machine when %s', (...[, ask, candidate, droppedBy, detail]) => {
    expect(checkPlacement(ask, candidate)).toEqual({ droppedBy, detail, fit: null })
  })

  it('prefers the strongest driver that works', () => {
    expect(checkPlacement(askOf(), box()).fit?.driver).toBe('process-sandboxed')
    expect(checkPlacement(askOf(), candidateOf(machineOf('x', { inventory: plainOnly }))).fit?.driver).toBe('process-plain')
  })

  it('gives an assigned device to nobody else', () => {
    const one = withGpus('x', 'l40s-48gb', ['free'])
    const taken = { ...one, use: { ...one.use, devices: ['GPU-x-0'] } }
    expect(checkPlacement(askOf(l40s(1)), one).fit?.devices).toEqual(['GPU-x-0'])
    expect(checkPlacement(askOf(l40s(1)), taken).droppedBy).toBe('devices')
  })

  it('takes the fallbacks in their order, and only with consent', () => {
    const mixed = candidateOf(
      machineOf('x', {
        inventory: inventoryOf({ devices: [...gpus('h', 'h100-80gb', ['free']), ...gpus('a', 'a100-80gb', ['free'])] }),
      }),
    )
    expect(checkPlacement(askOf(l40s(1)), mixed).droppedBy).toBe('gpu_class')
    expect(checkPlacement(askOf(l40s(1, true)), mixed).fit?.placedClass).toBe('a100-80gb')
  })

  it('never mixes two classes to reach a count', () => {
    const mixed = candidateOf(
      machineOf('x', {
        inventory: inventoryOf({ devices: [...gpus('h', 'h100-80gb', ['free']), ...gpus('a', 'a100-80gb', ['free'])] }),
      }),
    )
    expect(checkPlacement(askOf(l40s(2, true)), mixed).droppedBy).toBe('devices')
  })
})

describe('chooseMachine', () => {
  const names = (ask: ReturnType<typeof askOf>, candidates: Candidate[]) => chooseMachine(ask, candidates)?.candidate.machine.name

  it('keeps GPUs free for those who ask for them', () => {
    expect(names(askOf(), [withGpus('gpu-box', 'l40s-48gb', ['free']), box('cpu-box')])).toBe('cpu-box')
    expect(names(askOf(l40s(1)), [withGpus('a', 'l40s-48gb', ['free', 'free']), withGpus('b', 'l40s-48gb', ['free'])])).toBe('b')
  })

  it('then prefers free memory, then the id', () => {
    expect(names(askOf(), [candidateOf(machineOf('a'), { memoryBytes: GIB }), box('b')])).toBe('b')
    expect(names(askOf(), [box('b'), box('a')])).toBe('a')
  })

  it('never relaxes a pin', () => {
    expect(names(askOf({}, { pinnedMachineId: 'b' }), [box('a'), box('b')])).toBe('b')
    expect(chooseMachine(askOf({}, { pinnedMachineId: 'c' }), [box('a'), box('b')])).toBeNull()
  })
})

describe('buildFunnel', () => {
  it('counts every machine once and in the order of the filters', () => {
    const funnel = buildFunnel(askOf(l40s(1)), [box('a'), withGpus('b', 'l40s-48gb', ['busy']), box('c')], {
      queue: { position: 2, length: 4 },
    })
    expect(funnel.rows.map((r) => r.filter)).toEqual(FILTER_NAMES)
    expect(funnel.rows.map((r) => r.left)).toEqual([3, 3, 3, 3, 3, 1, 0, 0, 0, 0, 0])
    expect(funnel.rows.find((r) => r.filter === 'gpu_class')).toMatchObject({ asked: 'l40s-48gb only', dropped: 2 })
    expect(funnel).toMatchObject({ chosen: null, queue: { position: 2, length: 4 }, reason: { code: 'waiting_all_busy' } })
  })

  it('never shows a machine of another tenant', () => {
    const funnel = buildFunnel(askOf(), [candidateOf(machineOf('theirs', { tenantId: 'other' }))])
    expect(funnel.machines).toEqual([])
    expect(reasonText(funnel.reason)).toBe('waiting: no machine has joined yet')
  })

  it('tells an untrusted tenant no number of free capacity', () => {
    const shared = machineOf('farm', { tenantId: 'other', ownerId: 'x', sharing: 'everyone' })
    const cluster = inventoryOf({ drivers: [{ row: 'kubernetes', works: true, detail: null, fix: null, canPause: false }] })
    const own = candidateOf(machineOf('own'), { cpus: 7 })
    const funnel = buildFunnel(askOf({ cpus: 6 }, { trust: 'untrusted' }), [own, candidateOf({ ...shared, inventory: cluster })])
    expect(funnel.machines.find((m) => m.name === 'own')?.detail).toBe('no room')
    expect(funnel.suggestions).toEqual([])
  })

  it('says where it fits and suggests nothing then', () => {
    expect(buildFunnel(askOf(), [box('a')])).toMatchObject({
      chosen: { machineId: 'a', driver: 'process-sandboxed', placedClass: null, devices: [] },
      reason: { code: 'fits_now', args: { machine: 'a' } },
      suggestions: [],
    })
  })
})
