import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatToken } from '@/domain/tokens'
import { call, runtimeFor } from '@/server/api/testing/web'
import { TestClock } from '@/testing/clock'
import { freshDatabase, PROVIDERS } from '@/testing/databases'
import { mintSetupLink } from './setup'
import { WorkQueue } from './work-queue'

describe.each(PROVIDERS)('the first account on %s', (provider) => {
  let made: Awaited<ReturnType<typeof freshDatabase>>
  const clock = new TestClock()
  beforeEach(async () => {
    made = await freshDatabase(provider)
  })
  afterEach(() => made.drop())

  const runtime = () => runtimeFor(made.db, clock)
  const mint = async () => (await mintSetupLink(runtime()))?.link.split('#')[1] ?? ''
  const create = (secret: string, change: Record<string, unknown> = {}) =>
    call(runtime(), 'setup.create', {
      method: 'POST',
      input: {
        secret,
        name: 'Mara',
        email: 'Mara@Example.test',
        password: 'correct horse battery',
        tenantName: 'Harbor',
        ...change,
      },
    })
  const counts = async () => ({
    users: await made.db.user.count(),
    tenants: await made.db.tenant.count(),
    members: await made.db.membership.count(),
  })

  it('is made once by its link, which closes the set-up', async () => {
    const secret = await mint()
    expect((await call(runtime(), 'setup.status', {})).data).toEqual({ isOpen: true })
    expect((await create(secret)).status).toBe(200)
    expect((await call(runtime(), 'setup.status', {})).data).toEqual({ isOpen: false })
    expect((await create(secret)).berth?.code).toBe('setup_closed')
    expect(await mintSetupLink(runtime())).toBeNull()
    expect(await counts()).toEqual({ users: 1, tenants: 1, members: 1 })
    const user = await made.db.user.findFirstOrThrow({ include: { identities: true, memberships: true } })
    expect(user).toMatchObject({ email: 'mara@example.test', isOperator: true, memberships: [{ role: 'owner' }] })
    expect(user.identities[0]?.passwordHash).toMatch(/^\$argon2id\$/)
  })

  it('A1: is exactly one, whoever of 20 comes first', async () => {
    const secret = await mint()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => create(secret, { email: `p${i}@example.test` })))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(new Set(answers.filter((a) => a.status !== 200).map((a) => a.berth?.code))).toEqual(new Set(['setup_closed']))
    expect(await counts()).toEqual({ users: 1, tenants: 1, members: 1 })
  })

  it('A1: is refused for a wrong, a mistyped, an older and a late secret, and nothing is written', async () => {
    const older = await mint()
    const secret = await mint()
    const foreign = formatToken('setup', new Uint8Array(32).fill(7))
    for (const wrong of ['', 'berth_setup_', `${secret}x`, foreign, older])
      expect((await create(wrong)).berth?.code).toBe('setup_secret')
    clock.advance(15 * 60_000 + 1)
    expect((await create(secret)).berth?.code).toBe('setup_secret')
    expect(await counts()).toEqual({ users: 0, tenants: 0, members: 0 })
    expect((await create(await mint())).status).toBe(200)
  })

  it('costs no hash for a secret of a wrong form', async () => {
    await mint()
    const held = globalThis as { berthHashQueue?: WorkQueue }
    const before = held.berthHashQueue
    held.berthHashQueue = new WorkQueue({ running: 0, waiting: 0, full: () => new Error('a hash was asked for') })
    expect((await create('berth_setup_x')).berth?.code).toBe('setup_secret')
    if (before) held.berthHashQueue = before
    else delete held.berthHashQueue
  })

  it('names the field and its limit', async () => {
    const secret = await mint()
    const field = async (change: Record<string, unknown>) => (await create(secret, change)).berth?.args
    expect(await field({ password: 'too short' })).toEqual({ field: 'password', limit: 'at least 15 characters' })
    expect(await field({ password: 'x'.repeat(129) })).toMatchObject({ field: 'password' })
    expect(await field({ email: 'a,b@example.test' })).toEqual({ field: 'email', limit: 'not an e-mail address' })
    expect(await field({ name: '' })).toMatchObject({ field: 'name' })
    expect(await field({ isOperator: true })).toEqual({ field: 'isOperator', limit: 'not a known field' })
    expect(await counts()).toEqual({ users: 0, tenants: 0, members: 0 })
  })

  it('keeps only the hash of the secret', async () => {
    const secret = await mint()
    const rows = await made.db.setup.findMany()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(12))
    expect(rows[0]?.secretHash).toMatch(/^[0-9a-f]{64}$/)
  })
})
