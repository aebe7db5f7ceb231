import { expect, it } from 'vitest'
import { mintTicket } from '@/server/service/tickets'
import { createWorkload } from '@/server/service/workloads'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedRunning, seedTenant } from '@/testing/seed'
import { insertDoorPass } from './door-passes'
import { insertJoinToken } from './join-tokens'
import { ensureInstallation } from './setup'
import { insertSignIn } from './sign-ins'
import { sweepExpired } from './sweep'

const DAY_MS = 86_400_000

eachProvider('what is over', (get) => {
  it('is swept in batches; what still counts, or was just refused, stays', async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const { id: workloadId, placement } = await seedRunning(ctx, await seedMachine(get(), seed))
    await createWorkload(ctx, createInput({ idempotencyKey: 'k' }))
    const at = ctx.now()
    const in12Hours = new Date(at.getTime() + DAY_MS / 2)
    const until = { secretHash: ctx.newId(), createdAt: at, expiresAt: in12Hours }
    const owner = { tenantId: ctx.tenantId, ownerId: seed.owner.id, machineId: null, region: 'x' }
    await insertJoinToken(get(), { id: ctx.newId(), ...owner, ...until })
    const person = { tenantId: ctx.tenantId, userId: seed.owner.id, signInId: ctx.newId() }
    const door = { workloadId, placementId: placement?.id ?? '' }
    await insertDoorPass(get(), { id: ctx.newId(), ...person, ...door, ...until, secretHash: ctx.newId() })
    const browser = { device: '', address: '', at, expiresAt: in12Hours }
    await insertSignIn(get(), { id: person.signInId, userId: seed.owner.id, secretHash: ctx.newId(), ...browser })
    const row = { tenantId: ctx.tenantId, userId: seed.owner.id, workloadId, purpose: 'http', createdAt: at, expiresAt: at }
    await get().ticket.createMany({
      data: Array.from({ length: 1100 }, (_, i) => ({ ...row, id: `t${i}`, secretHash: `t${i}` })),
    })
    await mintTicket({ ...ctx, now: () => new Date(at.getTime() + 2 * DAY_MS) }, { workloadId, purpose: 'http' })

    expect(Object.values(await sweepExpired(get(), at)).every((count) => count === 0)).toBe(true)
    const day2 = new Date(at.getTime() + 2 * DAY_MS)
    expect(await sweepExpired(get(), day2)).toMatchObject({
      ticket: 1100,
      door_pass: 1,
      idempotency_key: 1,
      join_token: 0,
      sign_in: 0,
    })
    expect(await get().ticket.count()).toBe(1)
    expect(await sweepExpired(get(), new Date(at.getTime() + 40 * DAY_MS))).toMatchObject({
      ticket: 1,
      join_token: 1,
      sign_in: 1,
    })
  })

  it('the first start makes one installation, however many start at once', async () => {
    const at = new Date()
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => ensureInstallation(get(), { id: `i${i}`, at })))
    expect(new Set(made.map((row) => row.id)).size).toBe(1)
    expect(await get().installation.count()).toBe(1)
  })
})
