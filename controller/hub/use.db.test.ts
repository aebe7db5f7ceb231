import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import type { ObservedInstance } from '@/protocol/sync'
import { workloadById } from '@/server/store/system/workloads'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { UseKeeper } from './use-keeper'

const USE = { cpu: 0.5, memoryBytes: 1, diskBytes: null, gpus: [] }

eachProvider('what instances use and when they were busy', (get) => {
  it('is kept at its pace: a sample a slot, activity at most twice a minute, unknown as busy, frozen as not', async () => {
    const db = get()
    const seed = await seedTenant(db)
    const w = await seedPlaced(ctxFor(db, seed), await seedMachine(db, seed))
    const clock = new TestClock()
    const keeper = new UseKeeper({ db, clock })
    const seen = (change: Partial<ObservedInstance>): ObservedInstance => ({
      workloadId: w.id,
      placementId: w.placement?.id ?? uuidv7(),
      workloadGen: 1,
      status: 'running',
      code: 'ok',
      subject: null,
      progress: null,
      exitCode: null,
      hasWorkspace: true,
      use: USE,
      ...change,
    })
    const start = clock.now().getTime()
    const busyAt = async () => {
      const at = (await workloadById(db, w.id))?.lastBusyAt
      return at ? (at.getTime() - start) / 1000 : null
    }
    const look = async (seconds: number, change: Partial<ObservedInstance>) => {
      clock.advance(start + seconds * 1000 - clock.now().getTime())
      await keeper.keep([seen(change)])
      return [await db.workloadSample.count({ where: { workloadId: w.id } }), await busyAt()]
    }
    expect(await look(0, { isBusy: false })).toEqual([1, null])
    expect(await look(1, { isBusy: null })).toEqual([1, 1])
    expect(await look(10, { isBusy: true })).toEqual([2, 1])
    expect(await look(20, { isBusy: false })).toEqual([3, 1])
    expect(await look(31, { isBusy: false })).toEqual([4, 10])
    expect(await look(100, { isBusy: false })).toEqual([5, 10])
    expect(await look(140, { status: 'paused', use: null })).toEqual([5, 10])
    expect(await look(150, {})).toEqual([6, 150])
    expect(await look(200, { status: 'stopped' })).toEqual([6, 150])
  })
})
