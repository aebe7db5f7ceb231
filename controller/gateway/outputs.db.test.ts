import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { addresses } from '@/domain/settings'
import type { Purpose } from '@/domain/tickets'
import { toParked, toParking } from '@/server/service/controller-moves'
import type { Person } from '@/server/service/ctx'
import { mintTicket } from '@/server/service/tickets'
import { putShare } from '@/server/store/shares'
import { eachProvider } from '@/testing/databases'
import { type Answer, type Opened, seedRunning, seedSignIn, startGateway, type TestGateway } from '@/testing/gateway'
import { seedMember, seedTenant } from '@/testing/seed'

type Change = { purpose?: Purpose; of?: Opened; path?: string; form?: Record<string, string> }

eachProvider('what a notebook saved', (db) => {
  let test: TestGateway
  let notebook: Opened
  let session: Opened
  let dashboard: string
  beforeAll(async () => {
    test = await startGateway(db())
    dashboard = addresses(test.dashboardPort).dashboardOrigin
    notebook = await seedRunning(test, { input: { kind: 'notebook', spec: { runtime: 'jupyterlab' } } })
    session = await seedRunning(test, { seed: notebook.seed })
    for (const { workload } of [notebook, session]) test.kept.records.save(workload.id, 'a/b.ipynb', '{"cells":[]}')
  })
  afterAll(() => test.close())

  const ticketFor = async (purpose: Purpose, of: Opened = notebook) =>
    (await mintTicket(of.ctx, { workloadId: of.workload.id, purpose })).ticket
  /** As the dashboard's page asks. */
  const outputs = async (fields: object, { purpose = 'outputs', of = notebook, path = '/outputs', form }: Change = {}) => {
    const ticket = await ticketFor(purpose, of)
    const json = { 'content-type': 'application/json', authorization: `Ticket ${ticket}` }
    return test.request({
      host: addresses(test.dashboardPort).dataHost,
      path,
      method: 'POST',
      headers: { origin: dashboard, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : json) },
      body: form ? new URLSearchParams({ ticket, ...form }).toString() : JSON.stringify(fields),
    }) satisfies Promise<Answer>
  }
  const asPerson = (person: Person) => ({ ...notebook, ctx: { ...notebook.ctx, person } })

  it('G13: is listed and read as bytes that no browser runs, draws or keeps', async () => {
    const list = JSON.parse((await outputs({})).body)
    expect(list.notebooks.map((n: { path: string }) => n.path)).toEqual(['a/b.ipynb'])
    const answer = await outputs({ path: 'a/b.ipynb' })
    expect([answer.status, answer.body]).toEqual([200, '{"cells":[]}'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    })
    expect((await outputs({ path: 'other.ipynb' })).status).toBe(404)
    expect((await outputs({}, { form: { path: 'a/b.ipynb' } })).status).toBe(400)
  })

  it('is shown by a ticket of its own purpose alone, which opens nothing else, and by no path that leads elsewhere', async () => {
    for (const purpose of ['logs', 'record', 'http', 'files-read'] as const)
      expect((await outputs({}, { purpose })).status).toBe(403)
    expect((await outputs({ source: 'output' }, { path: '/logs' })).status).toBe(403)
    for (const path of ['../a.ipynb', '/a.ipynb', '.home/a.ipynb', 'key.pem']) expect((await outputs({ path })).status).toBe(400)
    expect((await outputs({ path: 'a/b.ipynb' }, { of: session })).status).toBe(404)
  })

  it('is for its owner and whom it is shared with, at any level; not for an admin, a colleague or another tenant', async () => {
    const { seed } = notebook
    const [member, admin, viewer] = [
      await seedMember(db(), seed, 'member'),
      await seedMember(db(), seed, 'admin'),
      await seedMember(db(), seed, 'viewer'),
    ]
    const share = (userId: string, level: 'view' | 'use' | 'manage') =>
      putShare(db(), seed.tenantId, { id: uuidv7(), workloadId: notebook.workload.id, userId, level, at: test.clock.now() })
    await expect(ticketFor('outputs', asPerson(member))).rejects.toMatchObject({ code: 'not_found' })
    await expect(ticketFor('outputs', asPerson(admin))).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = await seedTenant(db())
    const theirs = { ...asPerson(stranger.owner), ctx: { ...notebook.ctx, person: stranger.owner, tenantId: stranger.tenantId } }
    await expect(ticketFor('outputs', theirs)).rejects.toMatchObject({ code: 'not_found' })
    for (const level of ['view', 'use', 'manage'] as const) {
      await share(member.id, level)
      const signInId = await seedSignIn(test, member.id)
      const of = { ...notebook, ctx: { ...notebook.ctx, person: member, signInId } }
      expect([level, (await outputs({}, { of })).status]).toEqual([level, 200])
    }
    await share(viewer.id, 'view')
    const signInId = await seedSignIn(test, viewer.id)
    expect((await outputs({}, { of: { ...notebook, ctx: { ...notebook.ctx, person: viewer, signInId } } })).status).toBe(200)
  })

  it('is there also when it is parked', async () => {
    const [at, reason] = [test.clock.now(), because('parked', {})]
    const workload = await toParking(test.db, { workload: notebook.workload, reason, at })
    await toParked(test.db, { workload, reason, at })
    expect((await outputs({ path: 'a/b.ipynb' })).body).toBe('{"cells":[]}')
    const led = await test.request({ host: notebook.host, path: '/.berth/outputs' })
    expect([led.status, led.headers.location]).toEqual([303, `${dashboard}/open/${notebook.label}?show=outputs`])
    expect((await test.request({ host: session.host, path: '/.berth/outputs' })).status).toBe(404)
  })
})
