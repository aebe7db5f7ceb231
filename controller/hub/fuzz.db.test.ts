import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { inventory } from '@/domain/machines'
import { type ObservedInstance, type SyncRequest, syncAnswer } from '@/protocol/sync'
import { listEvents } from '@/server/store/events'
import { machineById } from '@/server/store/system/machines'
import { orphansOn } from '@/server/store/system/orphans'
import { CATALOG, gpus, inventoryOf } from '@/testing/candidates'
import { TestClock } from '@/testing/clock'
import { freshDatabase } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { MachineSync } from './machine-sync'
import { honest } from './testing/fake-agent'
import { log } from './testing/hub-world'

const isSoak = process.env.SOAK !== undefined
const runs = isSoak ? 20_000 : 400

/** What a hostile agent puts in the place of any value. */
const HOSTILE = fc.constantFrom<unknown>(
  ...[Number.NaN, -1, 1e9, 1e300, 2 ** 53, '', '<b>boom</b>', 'x'.repeat(5000), '\u001b[31m\r\n', null, true, [], {}],
  ...[Array.from({ length: 3000 }, () => 1), { __proto__: null, admin: true }],
)

/** Every place of a message, as a path. */
function placesOf(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...at]]
  return [[...at], ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))]
}

function putAt(value: unknown, [key, ...rest]: readonly string[], hostile: unknown): unknown {
  if (key === undefined) return hostile
  if (Array.isArray(value)) return value.map((inner: unknown, i) => (String(i) === key ? putAt(inner, rest, hostile) : inner))
  if (typeof value !== 'object' || value === null) return hostile
  return Object.fromEntries(Object.entries(value).map(([k, inner]) => [k, k === key ? putAt(inner, rest, hostile) : inner]))
}

it(
  'M2: no answer of a hostile agent reaches the store but in its bounds, and none tells a timeline anything',
  async () => {
    const { db, drop } = await freshDatabase('sqlite')
    const seed = await seedTenant(db)
    const machine = await seedMachine(db, seed)
    const ctx = ctxFor(db, seed)
    const w = await seedPlaced(ctx, machine)
    const own: ObservedInstance = {
      ...{ workloadId: w.id, placementId: w.placement?.id ?? '', workloadGen: 1 },
      ...{ status: 'running', code: 'ok', subject: 'numpy', exitCode: 0, hasWorkspace: true, isBusy: true },
      progress: { stage: 'packages', detail: 'x', done: 1, total: 2, unit: 'packages' },
      use: { cpu: 1, memoryBytes: 1, diskBytes: 1, gpus: [{ uuid: 'GPU-0', use: 1, memoryBytes: 1 }] },
    }
    const unknown = { ...own, workloadId: uuidv7(), placementId: uuidv7() }
    const request: SyncRequest = { protocol: 1, machineGen: machine.machineGen, changes: 0, desired: [] }
    const found = inventoryOf({ devices: gpus('box', 'l4-24gb', ['free']), tools: { uv: '1' } })
    const good: unknown = JSON.parse(JSON.stringify(honest(request, { instances: [own, unknown], inventory: found })))
    let said: unknown = good
    const connection = { call: async () => ({ status: 200, text: JSON.stringify(said) }) }
    const to = { machineId: machine.id, machineGen: machine.machineGen, connection }
    const sync = new MachineSync({ db, catalog: CATALOG, clock: new TestClock(), log }, to)
    await sync.run()
    const events = await listEvents(db, ctx.tenantId, { workloadId: w.id, afterSeq: 0, limit: 100 })
    let refused = 0
    const lie = fc.tuple(fc.constantFrom(...placesOf(good)), HOSTILE)
    await fc.assert(
      fc.asyncProperty(fc.array(lie, { minLength: 1, maxLength: 3 }), async (lies) => {
        said = lies.reduce((message, [place, hostile]) => putAt(message, place, hostile), good)
        const isTaken = await sync.run().then(
          () => true,
          () => false,
        )
        if (!isTaken) refused += 1
        if (isTaken) expect(syncAnswer.safeParse(JSON.parse(JSON.stringify(said))).success).toBe(true)
      }),
      { numRuns: runs, ...(isSoak ? {} : { seed: 7 }) },
    )
    expect(refused).toBeGreaterThan(runs / 2)
    expect(inventory.safeParse((await machineById(db, machine.id))?.inventory).success).toBe(true)
    expect(await listEvents(db, ctx.tenantId, { workloadId: w.id, afterSeq: 0, limit: 100 })).toEqual(events)
    expect((await orphansOn(db, [machine.id])).length).toBeLessThanOrEqual(2)
    await drop()
  },
  isSoak ? 600_000 : 300_000,
)
