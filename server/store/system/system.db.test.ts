import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { because } from '@/domain/reasons'
import { toRunning } from '@/server/service/controller-moves'
import { createWorkload } from '@/server/service/workloads'
import { TestClock } from '@/testing/clock'
import { eachProvider, freshDatabase, PROVIDERS } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { latestSamples, SAMPLE_RING, SAMPLE_SECONDS, sampleSlot } from '../samples'
import { findCertificate, insertCertificate, revokeCertificates } from './certificates'
import { claimControl, readControl, releaseControl, renewControl } from './control'
import { insertJoinToken, useJoinToken } from './join-tokens'
import { acquireLease, lockLease, releaseLease, renewLease } from './leases'
import {
  addSample,
  ensureLocalMachine,
  forgetConnection,
  heardConnections,
  machineById,
  markDisconnected,
  mintMachineGen,
  saveInventory,
  touchContact,
} from './machines'
import { ackWants, desiredOn, setWant } from './placements'
import { openWorkloads, progressTimes, saveProgress, saveWaitReason, workloadByLabel } from './workloads'

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
const winners = <T>(results: readonly T[], isWon: (result: T) => boolean) => results.filter(isWon).length

eachProvider('system', (get) => {
  const start = async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    return { clock, seed, ctx: ctxFor(get(), seed, { clock }), at: clock.now() }
  }

  it('a lease has one holder at a time, keeps its epoch while held and raises it with each new holding', async () => {
    const { at } = await start()
    const wanted = (holder: string, ms: number) => ({ name: 'job', holder, ttlMs: 1000, at: later(at, ms) })
    const first = await Promise.all(Array.from({ length: 20 }, (_, i) => acquireLease(get(), wanted(`h${i}`, 0))))
    expect(winners(first, (lease) => lease !== null)).toBe(1)
    const holder = `h${first.findIndex((lease) => lease !== null)}`
    expect(await acquireLease(get(), wanted(holder, 500))).toEqual({ epoch: 1 })
    expect(await renewLease(get(), { ...wanted(holder, 900), epoch: 1 })).toBe(true)
    expect(await acquireLease(get(), wanted('other', 1800))).toBeNull()
    const second = await Promise.all(Array.from({ length: 20 }, (_, i) => acquireLease(get(), wanted(`n${i}`, 1900))))
    expect(second.filter((lease) => lease !== null)).toEqual([{ epoch: 2 }])
    expect(await renewLease(get(), { ...wanted(holder, 1900), epoch: 1 })).toBe(false)
    expect(await lockLease(get(), { name: 'job', epoch: 1 })).toBe(false)
    const next = `n${second.findIndex((lease) => lease !== null)}`
    await releaseLease(get(), { name: 'job', holder: next, epoch: 2, at: later(at, 2000) })
    expect(await acquireLease(get(), wanted('third', 2000))).toEqual({ epoch: 3 })
  })

  it('X31: a clock that is set back by an hour keeps nobody from a lease whose holder is gone', async () => {
    const { at, seed } = await start()
    const wanted = { name: 'jumping', holder: 'a', ttlMs: 1000, at }
    expect(await acquireLease(get(), wanted)).toEqual({ epoch: 1 })
    expect(await acquireLease(get(), { ...wanted, holder: 'b', at: later(at, -3_600_000) })).toEqual({ epoch: 2 })
    expect(await lockLease(get(), { name: 'jumping', epoch: 1 })).toBe(false)
    const window = { tenantId: seed.tenantId, workloadId: seed.tenantId, userId: seed.owner.id, holder: 'one' }
    await claimControl(get(), { ...window, expected: 0, ttlMs: LIMITS.controlLeaseSeconds * 1000, at })
    expect((await readControl(get(), window.workloadId, at)).holder).toBe('one')
    expect((await readControl(get(), window.workloadId, later(at, -3_600_000))).holder).toBeNull()
  })

  it('a join token is used once, in time, by one of 20', async () => {
    const { seed, ctx, at } = await start()
    const token = { id: ctx.newId(), tenantId: seed.tenantId, ownerId: seed.owner.id, machineId: null, region: 'local' }
    await insertJoinToken(get(), { ...token, secretHash: token.id, createdAt: at, expiresAt: later(at, 900_000) })
    expect(await useJoinToken(get(), { hash: token.id, at: later(at, 900_000) })).toBeNull()
    const used = await Promise.all(Array.from({ length: 20 }, () => useJoinToken(get(), { hash: token.id, at })))
    expect(winners(used, (row) => row !== null)).toBe(1)
  })

  it('machine generations rise without a double, and only the newest connection is heard', async () => {
    const { seed, at } = await start()
    const machine = await seedMachine(get(), seed)
    const connection = { machineId: machine.id, controllerId: 'c', at }
    const gens = await Promise.all(Array.from({ length: 20 }, () => mintMachineGen(get(), connection)))
    expect(gens.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2))
    const old = { machineId: machine.id, machineGen: 20 }
    expect(await touchContact(get(), { ...old, bootId: 'old', at })).toBe(false)
    const inventory = machine.inventory
    if (inventory) expect(await saveInventory(get(), { ...old, inventory: { ...inventory, cpus: 1 } })).toBe(false)
    await markDisconnected(get(), old)
    expect(await touchContact(get(), { machineId: machine.id, machineGen: 21, bootId: 'new', at: later(at, 5) })).toBe(true)
    expect(await machineById(get(), machine.id)).toMatchObject({
      bootId: 'new',
      isConnected: true,
      machineGen: 21,
      inventory: { cpus: 8 },
    })
    const heard = (await heardConnections(get())).filter((one) => one.machineId === machine.id)
    expect(heard).toEqual([{ machineId: machine.id, machineGen: 21, lastContactAt: later(at, 5) }])
    await touchContact(get(), { machineId: machine.id, machineGen: 21, at: later(at, 6) })
    for (const one of heard) await forgetConnection(get(), one)
    expect((await machineById(get(), machine.id))?.isConnected).toBe(true)
    for (const one of await heardConnections(get())) if (one.machineId === machine.id) await forgetConnection(get(), one)
    expect((await machineById(get(), machine.id))?.isConnected).toBe(false)
  })

  it('certificates are found by serial and end together', async () => {
    const { seed, at } = await start()
    const machine = await seedMachine(get(), seed)
    const serial = `s-${machine.id}`
    await insertCertificate(get(), { serial, machineId: machine.id, issuedAt: at, expiresAt: later(at, 1000) })
    expect(await findCertificate(get(), serial)).toMatchObject({ machineId: machine.id, revokedAt: null })
    await revokeCertificates(get(), machine.id, at)
    expect((await findCertificate(get(), serial))?.revokedAt).toEqual(at)
    expect(await findCertificate(get(), 'unknown')).toBeNull()
  })

  it('samples are a ring: an hour of them is kept, and only a fresh one is the use of now', async () => {
    const { seed, at } = await start()
    const machine = await seedMachine(get(), seed)
    const use = (cpu: number) => ({ cpu, memoryBytes: 1, diskFreeBytes: 2 })
    const step = SAMPLE_SECONDS * 1000
    for (let i = 0; i < 3; i++) await addSample(get(), { machineId: machine.id, use: use(i / 10), at: later(at, i * step) })
    expect((await latestSamples(get(), [machine.id], later(at, 3 * step))).get(machine.id)).toEqual({
      ...use(0.2),
      at: later(at, 2 * step),
    })
    expect((await latestSamples(get(), [machine.id], later(at, 120_000))).size).toBe(0)
    await addSample(get(), { machineId: machine.id, use: use(0.9), at: later(at, SAMPLE_RING * step) })
    expect(await get().sample.count({ where: { machineId: machine.id } })).toBe(3)
    expect(sampleSlot(later(at, SAMPLE_RING * step))).toBe(sampleSlot(at))
  })

  it('a wait reason refreshes its age at each look, and says whether it is another one', async () => {
    const { ctx, clock } = await start()
    const workload = await createWorkload(ctx, createInput())
    const wait = (free: number) => ({
      workloadId: workload.id,
      reason: because('waiting_cpu', { asked: 4, free, total: 8 }),
      at: clock.advance(1000),
    })
    expect(await saveWaitReason(get(), wait(1))).toBe(true)
    expect(await saveWaitReason(get(), wait(1))).toBe(false)
    expect(await saveWaitReason(get(), wait(2))).toBe(true)
    const row = await workloadByLabel(get(), workload.label)
    expect(row).toMatchObject({ reason: { code: 'waiting_cpu', args: { free: 2 } }, reasonAt: clock.now(), version: 0 })
  })

  it('a wait reason lacks what an untrusted tenant may not see, and is never written once it is placed', async () => {
    const ctx = ctxFor(get(), await seedTenant(get(), { trust: 'untrusted' }))
    const workload = await createWorkload(ctx, createInput())
    const wait = { workloadId: workload.id, reason: because('waiting_cpu', { asked: 4, free: 1, total: 8 }), at: ctx.now() }
    await saveWaitReason(get(), wait)
    expect((await workloadByLabel(get(), workload.label))?.reason?.args).toEqual({ asked: 4 })
    const { seed, ctx: trusted } = await start()
    const placed = await seedPlaced(trusted, await seedMachine(get(), seed))
    expect(await saveWaitReason(get(), { ...wait, workloadId: placed.id })).toBe(false)
    expect((await workloadByLabel(get(), placed.label))?.reason?.code).toBe('placed')
  })

  it('progress belongs to one placement, and its age is the time without progress', async () => {
    const { ctx, seed, clock } = await start()
    const placed = await seedPlaced(ctx, await seedMachine(get(), seed))
    const progress = { stage: 'packages' as const, detail: null, done: 1, total: 4, unit: 'packages' as const }
    const seen = { workloadId: placed.id, placementId: placed.placement?.id ?? '', progress }
    const first = clock.advance(1000)
    expect(await saveProgress(get(), { ...seen, at: first })).toBe(true)
    expect(await saveProgress(get(), { ...seen, at: clock.advance(1000) })).toBe(true)
    expect((await progressTimes(get(), [placed.id])).get(placed.id)).toEqual(first)
    const moved = clock.advance(1000)
    await saveProgress(get(), { ...seen, progress: { ...progress, done: 2 }, at: moved })
    expect((await progressTimes(get(), [placed.id])).get(placed.id)).toEqual(moved)
    expect(await saveProgress(get(), { ...seen, placementId: ctx.newId(), at: moved })).toBe(false)
    const running = await toRunning(get(), { workload: placed, reason: because('started', {}), at: clock.now() })
    expect(running.progress).toBeNull()
  })

  it('a wish of an older controller, and one that takes an end back, change nothing', async () => {
    const { ctx, seed } = await start()
    const machine = await seedMachine(get(), seed)
    const { placement } = await seedPlaced(ctx, machine)
    const placementId = placement?.id ?? ''
    expect(await setWant(get(), { placementId, want: 'park', epoch: 5 })).toBe(true)
    expect(await setWant(get(), { placementId, want: 'destroy', epoch: 4 })).toBe(false)
    expect(await setWant(get(), { placementId, want: 'run', epoch: 5 })).toBe(false)
    expect(await setWant(get(), { placementId, want: 'remove', epoch: 5 })).toBe(true)
    expect(await setWant(get(), { placementId, want: 'destroy', epoch: 6 })).toBe(false)
    const desired = async () => (await desiredOn(get(), machine.id, ctx.catalog))[0]
    const ack = { placementId, isDone: false }
    await ackWants(get(), { machineId: machine.id, acks: [{ ...ack, want: 'park' }], at: ctx.now() })
    expect((await desired())?.ackedWant).toBeNull()
    await ackWants(get(), { machineId: ctx.newId(), acks: [{ ...ack, want: 'remove' }], at: ctx.now() })
    expect((await desired())?.ackedWant).toBeNull()
    await ackWants(get(), { machineId: machine.id, acks: [{ ...ack, want: 'remove' }], at: ctx.now() })
    expect((await desired())?.ackedWant).toBe('remove')
  })

  it('open workloads leave out what rests', async () => {
    const { ctx } = await start()
    const workload = await createWorkload(ctx, createInput())
    const isOpen = async () => (await openWorkloads(get())).some((row) => row.id === workload.id)
    expect(await isOpen()).toBe(true)
    await get().workload.update({ where: { id: workload.id }, data: { state: 'parked' } })
    expect(await isOpen()).toBe(false)
  })

  it('control of a terminal has one holder, whoever claims at once, and expires by itself', async () => {
    const { ctx, seed, at } = await start()
    const workload = await createWorkload(ctx, createInput())
    const claim = (holder: string, expected: number, ms = 0) => ({
      tenantId: seed.tenantId,
      workloadId: workload.id,
      holder,
      userId: seed.owner.id,
      expected,
      ttlMs: 30_000,
      at: later(at, ms),
    })
    expect(await readControl(get(), workload.id, at)).toEqual({ controllerGen: 0, holder: null, userId: null })
    const first = await Promise.all(Array.from({ length: 20 }, (_, i) => claimControl(get(), claim(`h${i}`, 0))))
    expect(first.filter((gen) => gen !== null)).toEqual([1])
    const holder = `h${first.indexOf(1)}`
    const held = { workloadId: workload.id, holder, controllerGen: 1 }
    expect(await renewControl(get(), { ...held, ttlMs: 30_000, at: later(at, 5000) })).toBe(true)
    const second = await Promise.all(Array.from({ length: 20 }, (_, i) => claimControl(get(), claim(`n${i}`, 1, 6000))))
    expect(second.filter((gen) => gen !== null)).toEqual([2])
    expect(await renewControl(get(), { ...held, ttlMs: 30_000, at: later(at, 7000) })).toBe(false)
    await releaseControl(get(), held)
    expect((await readControl(get(), workload.id, later(at, 7000))).holder).toBe(`n${second.indexOf(2)}`)
    expect(await readControl(get(), workload.id, later(at, 36_000))).toEqual({ controllerGen: 2, holder: null, userId: null })
  })
})

it.each(PROVIDERS)('the local machine is made once, for the first person, with a name that fits, on %s', async (provider) => {
  const { db, drop } = await freshDatabase(provider)
  const clock = new TestClock()
  const local = {
    hostname: 'Mara_Laptop.example',
    at: clock.now(),
    newId: ctxFor(db, { tenantId: '', owner: {} as never }).newId,
  }
  expect(await ensureLocalMachine(db, local)).toBeNull()
  const seed = await seedTenant(db)
  const made = await Promise.all(Array.from({ length: 10 }, () => ensureLocalMachine(db, local)))
  expect(new Set(made.map((machine) => machine?.id)).size).toBe(1)
  expect(made[0]).toMatchObject({
    name: 'mara-laptop',
    region: 'local',
    ownerId: seed.owner.id,
    isConnected: false,
    inventory: null,
  })
  await drop()
})
