import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { because } from '@/domain/reasons'
import { putShare } from '@/server/store/shares'
import { doorPassState, insertDoorPass, revokeDoorPasses } from '@/server/store/system/door-passes'
import { insertSignIn, revokeSignIn } from '@/server/store/system/sign-ins'
import { consumeTicket, dropOldTickets } from '@/server/store/system/tickets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import { toParked, toRunning } from './controller-moves'
import { deleteWorkload } from './deletion'
import { parkWorkload } from './operations'
import { secretHash } from './secrets'
import { mintTicket } from './tickets'
import { createWorkload } from './workloads'

eachProvider('doors', (get) => {
  async function opened() {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const signInId = ctxFor(get(), seed).newId()
    const ctx = ctxFor(get(), seed, { clock, signInId })
    const at = clock.now()
    const days = new Date(at.getTime() + LIMITS.signInDays * 86_400_000)
    await insertSignIn(get(), {
      id: signInId,
      userId: seed.owner.id,
      secretHash: signInId,
      device: '',
      address: '',
      at,
      expiresAt: days,
    })
    const placed = await seedPlaced(ctx, await seedMachine(get(), seed))
    const workload = await toRunning(get(), { workload: placed, reason: because('started', {}), at })
    return { clock, seed, ctx, workload, signInId }
  }
  const use = (ticket: string, at: Date, change: object = {}) =>
    consumeTicket(get(), { hash: secretHash(ticket), purposes: ['http'], nonceHash: 'n', at, ...change })

  it('a ticket opens its own door once, to one of 20, and only its hash is kept', async () => {
    const { ctx, workload, signInId } = await opened()
    const { ticket } = await mintTicket(ctx, { workloadId: workload.id, purpose: 'http', nonceHash: 'n' })
    expect(ticket).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await get().ticket.findMany())).not.toContain(ticket)
    const used = await Promise.all(Array.from({ length: 20 }, () => use(ticket, ctx.now())))
    const [winner, ...others] = used.filter((row) => row !== null)
    expect(others).toEqual([])
    expect(winner).toMatchObject({ workloadId: workload.id, placementId: workload.placement?.id, signInId, purpose: 'http' })
  })

  it('what a machine keeps is read by a ticket without an instance, once something ran and until it is removed', async () => {
    const { ctx, workload } = await opened()
    const mint = (purpose: 'logs' | 'record' | 'http') => mintTicket(ctx, { workloadId: workload.id, purpose })
    const parking = await parkWorkload(ctx, workload.id)
    await toParked(get(), { workload: parking, reason: because('parked', {}), at: ctx.now(), hasWorkspace: true })
    const { ticket } = await mint('record')
    await mint('logs')
    await expect(mint('http')).rejects.toMatchObject({ code: 'wrong_state' })
    const used = { hash: secretHash(ticket), purposes: ['record'] as const, nonceHash: null, at: ctx.now() }
    expect(await consumeTicket(get(), used)).toMatchObject({ placementId: null, workloadId: workload.id })
    const never = await createWorkload(ctx, createInput())
    await expect(mintTicket(ctx, { workloadId: never.id, purpose: 'logs' })).rejects.toMatchObject({ code: 'wrong_state' })
    await deleteWorkload(ctx, workload.id)
    await expect(mint('logs')).rejects.toMatchObject({ code: 'wrong_state' })
  })

  it('a ticket is refused for another purpose, another nonce, without its nonce and after 30 s, and stays usable for its own', async () => {
    const { ctx, clock, workload } = await opened()
    const { ticket } = await mintTicket(ctx, { workloadId: workload.id, purpose: 'http', nonceHash: 'n' })
    expect(await use(ticket, ctx.now(), { purposes: ['terminal-control', 'logs'] })).toBeNull()
    expect(await use(ticket, ctx.now(), { nonceHash: 'other' })).toBeNull()
    expect(await use(ticket, ctx.now(), { nonceHash: null })).toBeNull()
    expect(await use(ticket, new Date(ctx.now().getTime() + LIMITS.ticketSeconds * 1000))).toBeNull()
    expect(await use(`${ticket}x`, ctx.now())).toBeNull()
    clock.advance(LIMITS.ticketSeconds * 1000 - 1)
    expect(await use(ticket, ctx.now())).not.toBeNull()
    await dropOldTickets(get(), new Date(ctx.now().getTime() + 60_000))
    expect(await get().ticket.count({ where: { workloadId: workload.id } })).toBe(0)
  })

  it('a ticket is minted only for what the person may open, and only while there is something to open', async () => {
    const { ctx, seed, workload } = await opened()
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const mint = (purpose: 'http' | 'terminal-view', who = member) => mintTicket(who, { workloadId: workload.id, purpose })
    await expect(mint('http')).rejects.toMatchObject({ code: 'not_found' })
    const share = { id: ctx.newId(), workloadId: workload.id, userId: member.person.id, level: 'view' as const, at: ctx.now() }
    await putShare(get(), seed.tenantId, share)
    await expect(mint('http')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await mint('terminal-view')).toHaveProperty('ticket')
    const admin = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'admin') })
    await expect(mint('http', admin)).rejects.toMatchObject({ code: 'forbidden' })
    const queued = await createWorkload(ctx, createInput())
    await expect(mintTicket(ctx, { workloadId: queued.id, purpose: 'http' })).rejects.toMatchObject({ code: 'wrong_state' })
  })

  async function withPass() {
    const made = await opened()
    const { ctx, seed, workload, signInId } = made
    const expiresAt = new Date(ctx.now().getTime() + LIMITS.doorPassHours * 3_600_000)
    const pass = { id: ctx.newId(), tenantId: seed.tenantId, userId: seed.owner.id, signInId, workloadId: workload.id }
    const placementId = workload.placement?.id ?? ''
    await insertDoorPass(get(), { ...pass, placementId, secretHash: pass.id, createdAt: ctx.now(), expiresAt })
    return { ...made, hash: pass.id, state: (at = ctx.now()) => doorPassState(get(), pass.id, at) }
  }

  it('a door’s cookie says who, how and to what, as long as everything it hangs on lives', async () => {
    const { workload, seed, state } = await withPass()
    expect(await state()).toMatchObject({
      workload: { id: workload.id },
      access: { role: 'owner', relation: 'own', person: { id: seed.owner.id } },
    })
    expect(await doorPassState(get(), 'unknown', new Date())).toBeNull()
  })

  it('a door’s cookie dies with its sign-in', async () => {
    const { ctx, seed, signInId, state } = await withPass()
    await revokeSignIn(get(), { userId: seed.owner.id, id: signInId, at: ctx.now() })
    expect(await state()).toBeNull()
  })

  it('a door’s cookie dies with its placement', async () => {
    const { ctx, workload, state } = await withPass()
    const parking = await parkWorkload(ctx, workload.id)
    await toParked(get(), { workload: parking, reason: because('parked', {}), at: ctx.now() })
    expect(await state()).toBeNull()
  })

  it('a door’s cookie dies with the membership, with the person, when it is revoked and after 12 h', async () => {
    const first = await withPass()
    expect(await first.state(new Date(first.ctx.now().getTime() + LIMITS.doorPassHours * 3_600_000))).toBeNull()
    await revokeDoorPasses(get(), { workloadId: first.workload.id, userId: first.seed.owner.id, at: first.ctx.now() })
    expect(await first.state()).toBeNull()
    const second = await withPass()
    await get().membership.deleteMany({ where: { userId: second.seed.owner.id } })
    expect(await second.state()).toBeNull()
    const third = await withPass()
    await get().user.update({ where: { id: third.seed.owner.id }, data: { disabledAt: third.ctx.now() } })
    expect(await third.state()).toBeNull()
  })
})
