import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { State } from '@/domain/states'
import { runtimeFor } from '@/server/api/testing/web'
import { createApiToken } from '@/server/service/api-tokens'
import { transition } from '@/server/service/transition'
import { listEvents } from '@/server/service/workloads'
import { inTx } from '@/server/store/db'
import { freshDatabase } from '@/testing/databases'
import { startGateway, type TestGateway } from '@/testing/gateway'
import { createInput, ctxFor, seedMachine, seedRunning, seedTenant } from '@/testing/seed'
import { buildCli, serveApi, type TestCli } from './testing/cli'

let database: Awaited<ReturnType<typeof freshDatabase>>
let test: TestGateway
let web: Server
let cli: TestCli
let seeded: Awaited<ReturnType<typeof seed>>
beforeAll(async () => {
  database = await freshDatabase('sqlite')
  test = await startGateway(database.db)
  web = await serveApi(test, { ...runtimeFor(database.db, test.clock), port: test.dashboardPort })
  ;[cli, seeded] = await Promise.all([buildCli(test.dashboardPort), seed()])
})
afterAll(async () => {
  web.close()
  await test.close()
  await database.drop()
  cli.remove()
})

async function seed() {
  const tenant = await seedTenant(database.db)
  const ctx = ctxFor(database.db, tenant, { clock: test.clock })
  const { token } = await createApiToken(ctx, { name: 'shell', scopes: ['read', 'write'], days: 1 })
  return { ctx, machine: await seedMachine(database.db, tenant), environment: { BERTH_TOKEN: token } }
}

it.each<{ verb: string; way: State[]; says: string; why: string }>([
  { verb: 'pause', way: [], says: 'is being frozen in memory', why: 'paused_by_person' },
  { verb: 'park', way: [], says: 'parking (parked by Mara)', why: 'parked_by_person' },
  { verb: 'resume', way: ['parking', 'parked'], says: 'queued (resumed by Mara)', why: 'resumed_by_person' },
  { verb: 'restart', way: ['failed'], says: 'queued (restarted by Mara)', why: 'restarted_by_person' },
  { verb: 'recover', way: ['lost'], says: 'queued (recovered by Mara)', why: 'recovered_by_person' },
  { verb: 'keep', way: [], says: 'its idle stop is put off by 90 minutes', why: 'kept_by_person' },
])('the button $verb has a command that does the same, and says what came of it', async ({ verb, way, says, why }) => {
  const { ctx, machine, environment } = seeded
  const name = `to-${verb}`
  let workload = await seedRunning(ctx, machine, createInput({ name, spec: { cpus: 1 }, settings: { idleMinutes: 90 } }))
  for (const state of way) {
    const patch = state === 'parked' || state === 'lost' ? { patch: { placementId: null } } : {}
    workload = await inTx(database.db, (tx) => transition(tx, workload, state, because('started', {}), ctx.now(), patch))
  }
  expect(await cli.run([verb, name], '', environment)).toEqual({ code: 0, out: `${name}: ${says}\n`, err: '' })
  expect((await listEvents(ctx, { id: workload.id })).at(-1)?.reason.code).toBe(why)
})
