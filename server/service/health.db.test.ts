import { expect, it } from 'vitest'
import { backUp } from '@/server/store/backup'
import { openDb, placeOf } from '@/server/store/db'
import { ensureInstallation, setQuarantine } from '@/server/store/system/setup'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, placementLease, seedMachine, seedTenant } from '@/testing/seed'
import { systemHealth } from './health'

const HOUR_MS = 3_600_000

eachProvider('health', (get, provider) => {
  it('names what is wrong, each thing by itself, and nothing once it is mended', async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const ill = async () => (await systemHealth(ctx)).filter((check) => !check.ok).map((check) => check.id)
    await ensureInstallation(get(), { id: ctx.newId(), at: clock.now() })
    expect(await ill()).toEqual(['controller', 'machines'])
    await seedMachine(get(), seed)
    await placementLease(get())
    await setQuarantine(get(), true)
    expect(await ill()).toEqual(['quarantine'])
    await setQuarantine(get(), false)
    const place = placeOf(get())
    clock.advance(4 * HOUR_MS)
    expect(await ill()).toEqual(place.provider === 'sqlite' ? ['controller', 'backup'] : ['controller'])
    if (place.provider === 'sqlite') await backUp(place.file, 'hourly', clock.now())
    expect(await ill()).toEqual(['controller'])
    expect((await systemHealth(ctx)).map((check) => check.id)).toHaveLength(provider === 'sqlite' ? 6 : 4)
  })

  it('is told also when the database is gone, in words of its own', async () => {
    const db = await openDb('postgresql://user:secret@127.0.0.1:1/none')
    const checks = await systemHealth({ ...ctxFor(get(), await seedTenant(get())), db })
    expect(checks.every((check) => !check.ok)).toBe(true)
    expect(JSON.stringify(checks)).not.toContain('secret')
    await db.$disconnect()
  })
})
