import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Machine } from '@/domain/machines'
import type { Workload } from '@/domain/workloads'
import { checkDoorPass, mintDoorPass, redeemTicket } from '@/server/auth/tickets'
import { deleteWorkload } from '@/server/service/deletion'
import { createWorkload } from '@/server/service/workloads'
import { putShare } from '@/server/store/shares'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, type Seed, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import { handOver } from './hand-over'
import { browserOf, ORIGIN, runtimeFor } from './testing/web'

const NONCE = 'the value of a cookie on the workload host'
const HASH = createHash('sha256').update(NONCE).digest('hex')

eachProvider('opening a workload', (db) => {
  const clock = new TestClock()
  const runtime = () => runtimeFor(db(), clock)
  let seed: Seed
  let machine: Machine
  let workload: Workload
  let cookie: string
  beforeAll(async () => {
    seed = await seedTenant(db())
    machine = await seedMachine(db(), seed)
    workload = await seedPlaced(ctxFor(db(), seed), machine)
    cookie = (await browserOf(runtime(), seed.owner.id)).cookie
  })
  const open = (label: string, headers: Record<string, string> = { cookie }, n = HASH) =>
    handOver(runtime(), new Request(`${ORIGIN}/open/${label}?n=${n}`, { headers }), label)
  const ticketOf = (response: Response) => response.headers.get('location')?.split('#')[1] ?? ''
  const redeem = (secret: string, nonce: string | null = NONCE) =>
    redeemTicket(db(), { secret, purposes: ['http'], nonce, at: clock.now() })

  it('sends a signed-in person back to the workload, with a ticket in the fragment that works once and with its cookie only', async () => {
    const response = await open(workload.label)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^http://w-${workload.label}\\.localhost:7481/\\.berth/enter#[\\w-]{43}$`),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    await expect(redeem(ticketOf(response), 'another cookie')).rejects.toMatchObject({ code: 'ticket' })
    await expect(redeem(ticketOf(response), null)).rejects.toMatchObject({ code: 'ticket' })
    const passage = await redeem(ticketOf(response))
    expect(passage.workload.id).toBe(workload.id)
    await expect(redeem(ticketOf(response))).rejects.toMatchObject({ code: 'ticket' })
    const pass = await mintDoorPass(db(), passage, { at: clock.now(), port: null })
    expect((await checkDoorPass(db(), pass.secret, clock.now()))?.workload.id).toBe(workload.id)
  })

  it('sends the dashboard’s own link to the workload’s host first, for the nonce', async () => {
    const before = await db().ticket.count()
    const response = await handOver(
      runtime(),
      new Request(`${ORIGIN}/open/${workload.label}`, { headers: { cookie } }),
      workload.label,
    )
    expect(response.headers.get('location')).toBe(`http://w-${workload.label}.localhost:7481/.berth/start`)
    expect(await db().ticket.count()).toBe(before)
  })

  it('asks who is not signed in to sign in, and to come back here', async () => {
    const response = await open(workload.label, {})
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`/open/${workload.label}?n=${HASH}`)}`)
  })

  it('keeps the wanted path and port on the way, also over a sign-in, and never leads to another host', async () => {
    const at = async (query: string, headers: Record<string, string> = { cookie }) => {
      const request = new Request(`${ORIGIN}/open/${workload.label}?${query}`, { headers })
      return (await handOver(runtime(), request, workload.label)).headers.get('location')
    }
    const host = (port = '') => `http://w-${workload.label}${port}.localhost:7481/.berth`
    const to = encodeURIComponent('/lab/tree/a b.ipynb?x=1#y')
    const kept = encodeURIComponent('/lab/tree/a%20b.ipynb?x=1#y')
    expect(await at(`to=${to}`)).toBe(`${host()}/start?to=${kept}`)
    expect(await at(`to=${to}&port=8080`)).toBe(`${host('--8080')}/start?to=${kept}`)
    expect(await at(`n=${HASH}&port=8080&to=${to}`)).toMatch(`${host('--8080')}/enter#`)
    const next = new URL(`${ORIGIN}${await at(`n=${HASH}&port=8080&to=${to}`, {})}`).searchParams.get('next') ?? ''
    expect(await at(next.split('?')[1] ?? '')).toBe(`${host('--8080')}/start?to=${kept}`)
    for (const evil of ['//evil.example', 'https://evil.example/', '/\\\\evil.example', 'javascript:1'])
      expect(await at(`to=${encodeURIComponent(evil)}`)).toBe(`${host()}/start?to=%2F`)
    for (const port of ['0', '-1', '8080x', '65536', '80.localhost']) expect(await at(`port=${port}`)).toBeNull()
  })

  it('T12: answers a label of another tenant as one that nobody has', async () => {
    const other = await seedTenant(db())
    const stranger = { cookie: (await browserOf(runtime(), other.owner.id)).cookie }
    const before = await db().ticket.count()
    const [foreign, random] = [await open(workload.label, stranger), await open('a'.repeat(26), stranger)]
    expect([foreign.status, random.status]).toEqual([404, 404])
    expect(await foreign.text()).toBe(await random.text())
    expect(await db().ticket.count()).toBe(before)
  })

  it('mints nothing for a guess of the browser, a picture, a bad label or a bad hash', async () => {
    const before = await db().ticket.count()
    const headers: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'iframe' },
    ]
    for (const extra of headers) expect((await open(workload.label, { cookie, ...extra })).status).toBe(403)
    for (const label of ['', 'A'.repeat(26), '../x', `${workload.label}x`, 'evil.example/'])
      expect((await open(label)).status).toBe(404)
    for (const n of ['', 'x', HASH.toUpperCase(), `${HASH}0`])
      expect((await open(workload.label, { cookie }, n)).status).toBe(404)
    expect(await db().ticket.count()).toBe(before)
  })

  it('leads to its page when it cannot be opened: not placed, or only shared to look at', async () => {
    const waiting = await createWorkload(ctxFor(db(), seed), createInput())
    expect((await open(waiting.label)).headers.get('location')).toBe(`/workloads/${waiting.id}`)
    const member = await seedMember(db(), seed, 'member')
    const theirs = { cookie: (await browserOf(runtime(), member.id)).cookie }
    expect((await open(workload.label, theirs)).status).toBe(404)
    await putShare(db(), seed.tenantId, {
      id: crypto.randomUUID(),
      workloadId: workload.id,
      userId: member.id,
      level: 'view',
      at: clock.now(),
    })
    expect((await open(workload.label, theirs)).headers.get('location')).toBe(`/workloads/${workload.id}`)
  })

  it('leads who may see it to what a notebook saved, without a ticket, and nobody else', async () => {
    const at = async (headers: Record<string, string>) =>
      handOver(runtime(), new Request(`${ORIGIN}/open/${workload.label}?show=outputs`, { headers }), workload.label)
    const before = await db().ticket.count()
    expect((await at({ cookie })).headers.get('location')).toBe(`/workloads/${workload.id}?tab=outputs`)
    const next = `/sign-in?next=${encodeURIComponent(`/open/${workload.label}?show=outputs`)}`
    expect((await at({})).headers.get('location')).toBe(next)
    const others = [await seedMember(db(), seed, 'member'), (await seedTenant(db())).owner]
    for (const { id } of others) expect((await at({ cookie: (await browserOf(runtime(), id)).cookie })).status).toBe(404)
    expect(await db().ticket.count()).toBe(before)
  })

  it('gives a ticket of 30 seconds, and one that dies with the sign-in', async () => {
    const late = ticketOf(await open(workload.label))
    clock.advance(30_001)
    await expect(redeem(late)).rejects.toMatchObject({ code: 'ticket' })
    const browser = await browserOf(runtime(), seed.owner.id)
    const orphan = ticketOf(await open(workload.label, { cookie: browser.cookie }))
    await db().signIn.update({ where: { id: browser.signInId }, data: { revokedAt: clock.now() } })
    await expect(redeem(orphan)).rejects.toMatchObject({ code: 'ticket' })
  })

  it('makes a pass that dies with the sign-in, the share, the placement, and after 12 hours', async () => {
    const member = await seedMember(db(), seed, 'member')
    const browser = await browserOf(runtime(), member.id)
    const share = { id: crypto.randomUUID(), workloadId: workload.id, userId: member.id, level: 'use' as const, at: clock.now() }
    const passOf = async (shown: string) => {
      const passage = await redeem(ticketOf(await open(workload.label, { cookie: shown })))
      return (await mintDoorPass(db(), passage, { at: clock.now(), port: null })).secret
    }
    const isOpen = async (secret: string) => (await checkDoorPass(db(), secret, clock.now())) !== null
    await putShare(db(), seed.tenantId, share)
    const shared = await passOf(browser.cookie)
    expect(await isOpen(shared)).toBe(true)
    await putShare(db(), seed.tenantId, { ...share, level: 'view' })
    expect(await isOpen(shared)).toBe(false)
    await putShare(db(), seed.tenantId, share)
    await db().signIn.update({ where: { id: browser.signInId }, data: { revokedAt: clock.now() } })
    expect(await isOpen(shared)).toBe(false)

    const own = await passOf(cookie)
    clock.advance(12 * 3_600_000 - 60_000)
    await db().signIn.updateMany({ where: { userId: seed.owner.id }, data: { lastUsedAt: clock.now() } })
    expect(await isOpen(own)).toBe(true)
    clock.advance(60_001)
    expect(await isOpen(own)).toBe(false)
    const last = await passOf(cookie)
    await deleteWorkload(ctxFor(db(), seed, { clock }), workload.id)
    await db().workload.update({ where: { id: workload.id }, data: { placementId: null } })
    expect(await isOpen(last)).toBe(false)
  })
})
