import { expect, it } from 'vitest'
import { because, reasonText } from '@/domain/reasons'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { endLook, toFailed } from './controller-moves'
import { extendLook } from './looking'
import { restartWorkload } from './operations'
import { getWorkload, listEvents, listWorkloads } from './workloads'

const MINUTE = 60_000

eachProvider('the look at a failed workload', (get) => {
  it('is shown, goes on when somebody asks, for a day at most, and begins anew with the next failure', async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const workload = await seedPlaced(ctx, await seedMachine(get(), seed))
    const { id } = workload
    await expect(extendLook(ctx, id, 60)).rejects.toMatchObject({ code: 'wrong_state' })
    const failed = await toFailed(get(), { workload, reason: because('disk_full', {}), at: ctx.now() })
    const minutes = async () => {
      const { looksUntil, stateSince } = await getWorkload(ctx, id)
      const { rows } = await listWorkloads(ctx, { limit: 1 })
      expect(rows[0]?.looksUntil).toEqual(looksUntil)
      return looksUntil && (looksUntil.getTime() - stateSince.getTime()) / MINUTE
    }
    expect(await minutes()).toBe(15)
    await expect(extendLook(ctx, id, 15)).rejects.toMatchObject({ code: 'conflict' })
    clock.advance(10 * MINUTE)
    expect((await extendLook(ctx, id, 60)).version).toBe(failed.version)
    expect(await minutes()).toBe(70)
    const over = because('look_ended', { minutes: 15 })
    await endLook(get(), { workload: failed, reason: over, at: ctx.now() }) // decided on what was true before
    expect(await minutes()).toBe(70)
    await extendLook(ctx, id, 1440)
    expect(await minutes()).toBe(1440)
    await expect(extendLook(ctx, id, 1440)).rejects.toMatchObject({ code: 'conflict' })
    const told = (await listEvents(ctx, { id }))
      .map((event) => reasonText(event.reason))
      .filter((text) => text.startsWith('kept'))
    expect(told).toEqual(['kept 55 minutes longer for a look, by Mara', 'kept 1370 minutes longer for a look, by Mara'])
    await endLook(get(), { workload: await getWorkload(ctx, id), reason: over, at: ctx.now() })
    expect(await minutes()).toBeNull()
    await expect(extendLook(ctx, id, 60)).rejects.toMatchObject({ code: 'conflict' })
    await restartWorkload(ctx, id)
    expect(await get().workload.findUnique({ where: { id }, select: { looksUntil: true } })).toEqual({ looksUntil: null })
  })
})
