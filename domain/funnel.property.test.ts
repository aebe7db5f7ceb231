import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askOf, CATALOG, candidateOf, GIB, gpus, inventoryOf, machineOf } from '@/testing/candidates'
import { buildFunnel, checkPlacement, chooseMachine, explainWait } from './funnel'
import { deviceClass } from './gpu-class'
import type { Candidate } from './placement'
import { REASONS } from './reasons'
import { applyChange } from './suggestions'

const classId = fc.constantFrom('l4-24gb', 'l40s-48gb', 'a100-80gb', 'h100-80gb')
const deviceState = fc.constantFrom('free' as const, 'busy' as const, 'foreign' as const, 'wedged' as const)

const candidate = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    tenantId: fc.constantFrom(undefined, undefined, 'other'),
    ownerId: fc.constantFrom(undefined, 'someone'),
    sharing: fc.constantFrom('owner' as const, 'tenant' as const, 'everyone' as const),
    state: fc.constantFrom('active' as const, 'active' as const, 'draining' as const),
    isConnected: fc.boolean(),
    model: classId,
    states: fc.array(deviceState, { maxLength: 4 }),
    cpus: fc.integer({ min: 0, max: 10 }),
    memoryGib: fc.integer({ min: 0, max: 40 }),
    diskGib: fc.integer({ min: 0, max: 120 }),
    takenDevices: fc.integer({ min: 0, max: 2 }),
  })
  .map((r): Candidate => {
    const { name, sharing, state, isConnected } = r
    const machine = machineOf(name, {
      sharing,
      state,
      isConnected,
      ...(r.tenantId ? { tenantId: r.tenantId } : {}),
      ...(r.ownerId ? { ownerId: r.ownerId } : {}),
      inventory: inventoryOf({ devices: gpus(name, r.model, r.states) }),
    })
    const devices = Array.from({ length: r.takenDevices }, (_, i) => `GPU-${name}-${i}`)
    const use = { cpus: r.cpus, memoryBytes: r.memoryGib * GIB, diskBytes: r.diskGib * GIB, devices }
    return candidateOf(machine, use)
  })

const machines = fc.uniqueArray(candidate, { selector: (c) => c.machine.id, maxLength: 5 })

const ask = fc
  .record({
    cpus: fc.integer({ min: 1, max: 12 }),
    memoryGib: fc.integer({ min: 1, max: 48 }),
    diskGib: fc.integer({ min: 0, max: 120 }),
    gpu: fc.option(fc.record({ class: fc.option(classId), count: fc.integer({ min: 1, max: 4 }), allowFallbacks: fc.boolean() })),
    trust: fc.constantFrom('trusted' as const, 'untrusted' as const),
    pinnedMachineId: fc.option(fc.constantFrom('a', 'b', 'gone')),
  })
  .map((r) =>
    askOf(
      { cpus: r.cpus, memoryBytes: r.memoryGib * GIB, diskBytes: r.diskGib * GIB, gpu: r.gpu },
      { trust: r.trust, pinnedMachineId: r.pinnedMachineId },
    ),
  )

describe('placement, for any ask and any machines', () => {
  it('never promises more than is free', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        const best = chooseMachine(a, all)
        if (!best) return
        const { machine, use } = best.candidate
        const inventory = machine.inventory ?? inventoryOf()
        expect(use.cpus + a.spec.cpus).toBeLessThanOrEqual(inventory.cpus)
        expect(use.memoryBytes + a.spec.memoryBytes).toBeLessThanOrEqual(inventory.memoryBytes)
        expect(use.diskBytes + a.spec.diskBytes).toBeLessThanOrEqual(inventory.diskBytes)
        expect(machine.isConnected && machine.state === 'active').toBe(true)
        const given = inventory.devices.filter((d) => best.fit.devices.includes(d.uuid))
        expect(given).toHaveLength(a.spec.gpu?.count ?? 0)
        for (const d of given) {
          expect(d.state).toBe('free')
          expect(use.devices).not.toContain(d.uuid)
          expect(deviceClass(d, CATALOG)).toBe(best.fit.placedClass)
        }
      }),
    )
  })

  it('never gives another class without consent, and never leaves the pinned machine', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        const best = chooseMachine(a, all)
        if (!best) return
        if (a.spec.gpu?.class && !a.spec.gpu.allowFallbacks) expect(best.fit.placedClass).toBe(a.spec.gpu.class)
        if (a.pinnedMachineId) expect(best.candidate.machine.id).toBe(a.pinnedMachineId)
      }),
    )
  })

  it('chooses one if and only if one fits, whatever their order', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        const visible = all.filter((c) => c.machine.tenantId === a.tenantId || c.machine.sharing === 'everyone')
        const best = chooseMachine(a, all)
        expect(best !== null).toBe(visible.some((c) => checkPlacement(a, c).fit !== null))
        expect(chooseMachine(a, all.toReversed())?.candidate.machine.id).toBe(best?.candidate.machine.id)
      }),
    )
  })

  it('drops each machine once, so that the rows add up', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        const { rows, machines: shown, chosen } = buildFunnel(a, all)
        const dropped = rows.reduce((sum, r) => sum + r.dropped, 0)
        expect(dropped + (rows.at(-1)?.left ?? 0)).toBe(shown.length)
        expect((rows.at(-1)?.left ?? 0) > 0).toBe(chosen !== null)
      }),
    )
  })

  it('offers only changes that make it run', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        for (const { change } of buildFunnel(a, all).suggestions)
          expect(chooseMachine({ ...a, spec: applyChange(a.spec, change) }, all)).not.toBeNull()
      }),
    )
  })

  it('explains every wait with arguments that its reason accepts', () => {
    fc.assert(
      fc.property(ask, machines, (a, all) => {
        if (chooseMachine(a, all)) return
        const reason = explainWait(a, all, 1)
        expect(reason.code).not.toBe('waiting_first_look')
        expect(REASONS[reason.code].args.safeParse(reason.args).success).toBe(true)
      }),
    )
  })
})

describe('what would make it run now', () => {
  const busy = (...[name, model, states, use]: [...Parameters<typeof gpus>, use?: Partial<Candidate['use']>]) =>
    candidateOf(machineOf(name, { inventory: inventoryOf({ devices: gpus(name, model, states) }) }), use)
  const titles = (a: ReturnType<typeof askOf>, all: Candidate[]) => buildFunnel(a, all).suggestions.map((s) => s.title)
  const gpu = { class: 'l40s-48gb', count: 2, allowFallbacks: false }

  it.each<[string, ReturnType<typeof askOf>, Candidate[], string[]]>([
    [
      'another class, fewer GPUs or none',
      askOf({ gpu }),
      [busy('a', 'l40s-48gb', ['busy', 'free']), busy('b', 'h100-80gb', ['free', 'free'])],
      ['Use h100-80gb instead', 'Ask for 1 GPU instead of 2', 'Do without a GPU'],
    ],
    ['no GPU where there is none', askOf({ gpu }), [busy('a', '', [])], ['Do without a GPU']],
    ['fewer CPUs', askOf({ cpus: 8 }), [busy('a', '', [], { cpus: 5 })], ['Ask for 3 instead of 8 CPUs']],
    ['less memory', askOf({ memoryBytes: 40 * GIB }), [busy('a', '', [])], ['Ask for 32 instead of 40 GiB of memory']],
    ['less disk', askOf({ diskBytes: 90 * GIB }), [busy('a', '', [])], ['Ask for 80 instead of 90 GiB of disk']],
    [
      'several at once only when no single change helps',
      askOf({ cpus: 16, memoryBytes: 64 * GIB }),
      [busy('a', '', [])],
      ['Ask for 8 instead of 16 CPUs, 32 instead of 64 GiB of memory'],
    ],
    [
      'without a GPU and smaller',
      askOf({ gpu, cpus: 16 }),
      [busy('a', '', [])],
      ['Do without a GPU; ask for 8 instead of 16 CPUs'],
    ],
    [
      'fewer GPUs, or none, and smaller',
      askOf({ gpu, cpus: 16 }),
      [busy('a', 'l40s-48gb', ['busy', 'free'])],
      ['Ask for 1 GPU instead of 2; ask for 8 instead of 16 CPUs', 'Do without a GPU; ask for 8 instead of 16 CPUs'],
    ],
    ['nothing when the machine is away', askOf(), [candidateOf(machineOf('a', { isConnected: false }))], []],
  ])('is %s', (...[, a, all, expected]) => {
    expect(titles(a, all)).toEqual(expected)
  })
})

describe('to park one of one’s own', () => {
  const held = (name: string, cpus: number, devices: string[] = []) => ({
    ...{ workloadId: `w-${name}`, name, machineId: 'a', cpus, memoryBytes: GIB, diskBytes: GIB, devices },
  })
  const machine = (states: Parameters<typeof gpus>[2] = []) =>
    machineOf('a', { inventory: inventoryOf({ devices: gpus('a', 'l40s-48gb', states) }) })
  const full = candidateOf(machine(['busy']), { cpus: 8, memoryBytes: 2 * GIB, diskBytes: 2 * GIB, devices: ['GPU-a-0'] })
  const gpu = { class: 'l40s-48gb', count: 1, allowFallbacks: false }
  const holders = [held('large', 6, ['GPU-a-0']), held('small', 2)]
  const first = { position: 1, length: 1 }

  it.each([
    ['the smallest first, of those whose room is enough', askOf({ cpus: 1 }), first, ['Park small', 'Park large']],
    ['only one that is large enough', askOf({ cpus: 4 }), first, ['Park large']],
    ['the one that holds the GPU', askOf({ cpus: 1, gpu }), first, ['Park large']],
    [
      'with a smaller request when no room alone is enough',
      askOf({ cpus: 8 }),
      first,
      ['Park large; ask for 6 instead of 8 CPUs'],
    ],
    [
      'with fewer of everything',
      askOf({ cpus: 8, gpu: { ...gpu, count: 2 } }),
      first,
      ['Park large; ask for 1 GPU instead of 2; ask for 6 instead of 8 CPUs'],
    ],
    ['nothing behind others: the room goes to the first', askOf({ cpus: 1 }), { position: 2, length: 2 }, []],
    ['nothing that shows an untrusted tenant what is free', askOf({ cpus: 1 }, { trust: 'untrusted' }), first, []],
    ['nothing of a machine that it may not use', askOf({ cpus: 1 }, { pinnedMachineId: 'b' }), first, []],
  ])('offers %s', (...[, ask, queue, expected]) => {
    const ways = buildFunnel(ask, [full], { queue, holders }).suggestions
    expect(ways.map((way) => way.title)).toEqual(expected)
    for (const { park, title } of ways) expect(title.startsWith(`Park ${park?.name}`)).toBe(true)
  })
})
