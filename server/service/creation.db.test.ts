import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { hostLabel } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import { workloadName } from '@/domain/names'
import { NO_SETTINGS } from '@/domain/workloads'
import { placeOf } from '@/server/store/db'
import { insertWorkload } from '@/server/store/workloads'
import { CATALOG } from '@/testing/candidates'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedTenant } from '@/testing/seed'
import { requestDigest } from './request-digest'
import { createWorkload, listEvents } from './workloads'

/** A process that accepts requests one after the other, three at once, and says each answer, until it is killed. */
const KILLED_WHILE_IT_CREATES = `
import { createWorkload } from '@/server/service/workloads'
import { openDb } from '@/server/store/db'
import { createInput, ctxFor } from '@/testing/seed'
const [, url, seed] = process.argv
const ctx = ctxFor(await openDb(url, { synchronous: 'NORMAL' }), JSON.parse(seed))
let next = 0
const accept = async () => {
  while (next < 40) {
    const n = next++
    const { id } = await createWorkload(ctx, createInput({ idempotencyKey: 'k-' + n }))
    process.stdout.write(n + ' ' + id + '\\n')
  }
}
await Promise.all([accept(), accept(), accept()])
await new Promise(() => setInterval(() => undefined, 1000))
`

eachProvider('create', (get) => {
  const asked = async () => ctxFor(get(), await seedTenant(get()))
  const rowsOf = (tenantId: string) => get().workload.count({ where: { tenantId } })

  it('writes the row and its first event, and answers with the row', async () => {
    const ctx = await asked()
    const workload = await createWorkload(ctx, createInput({ name: 'first' }))
    expect(workload).toMatchObject({
      name: 'first',
      state: 'queued',
      version: 0,
      workloadGen: 0,
      ownerName: 'Mara',
      placement: null,
    })
    expect(workload.reason).toEqual({ code: 'created', args: { person: 'Mara' } })
    expect(hostLabel.safeParse(workload.label).success).toBe(true)
    expect(await listEvents(ctx, { id: workload.id })).toMatchObject([{ seq: 1, from: null, to: 'queued', actor: 'person' }])
  })

  it('T13, X46: answers the same key and request with the first row, 50 at once included', async () => {
    const ctx = await asked()
    const input = createInput({ idempotencyKey: 'k' })
    const made = await Promise.all(Array.from({ length: 50 }, () => createWorkload(ctx, input)))
    expect(new Set(made.map((workload) => workload.id)).size).toBe(1)
    expect(await rowsOf(ctx.tenantId)).toBe(1)
  })

  it('I1 X10 X46: what a killed process had accepted or not is there once when its requests are sent again', async () => {
    const seed = await seedTenant(get())
    const place = placeOf(get())
    const url = place.provider === 'sqlite' ? `file:${place.file}` : place.url
    const code = ['--import', 'tsx', '--input-type=module', '-e', KILLED_WHILE_IT_CREATES, url, JSON.stringify(seed)]
    const child = spawn(process.execPath, code, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      if (said.split('\n').length > 6) child.kill('SIGKILL')
    })
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    const answers = said
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
    expect(answers.length).toBeGreaterThan(5)
    const ctx = ctxFor(get(), seed)
    const retry = (n: number) => createWorkload(ctx, createInput({ idempotencyKey: `k-${n}` }))
    const again = await Promise.all(Array.from({ length: 40 }, (_, n) => retry(n)))
    for (const [n, id] of answers) expect(again[Number(n)]?.id).toBe(id)
    expect(await rowsOf(seed.tenantId)).toBe(40)
    expect(await get().workloadEvent.count({ where: { tenantId: seed.tenantId } })).toBe(40)
  })

  it('T13: refuses the same key with another request', async () => {
    const ctx = await asked()
    await createWorkload(ctx, createInput({ idempotencyKey: 'k' }))
    const other = createWorkload(ctx, createInput({ idempotencyKey: 'k', spec: { cpus: 2 } }))
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(await rowsOf(ctx.tenantId)).toBe(1)
  })

  it('T13: keeps the keys of two people and two tenants apart, and forgets them after a day', async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const input = createInput({ idempotencyKey: 'k' })
    const first = await createWorkload(ctx, input)
    const colleague = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    expect((await createWorkload(colleague, input)).id).not.toBe(first.id)
    expect((await createWorkload(await asked(), input)).id).not.toBe(first.id)
    clock.advance(LIMITS.idempotencyHours * 3_600_000 + 1)
    expect((await createWorkload(ctx, input)).id).not.toBe(first.id)
  })

  it('N2: lets a name live once per creator, 20 at once included', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => createWorkload(ctx, createInput({ name: 'one' }))))
    const refused = results.flatMap((r) => (r.status === 'rejected' ? [r.reason.code] : []))
    expect(refused).toEqual(Array.from({ length: 19 }, () => 'name_taken'))
    const colleague = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const stranger = ctxFor(get(), await seedTenant(get()))
    for (const other of [colleague, stranger])
      expect((await createWorkload(other, createInput({ name: 'one' }))).name).toBe('one')
  })

  it('finds a free name when none is given, even when chance always says the same', async () => {
    const ctx = ctxFor(get(), await seedTenant(get()), { random: () => 0.5 })
    const names = []
    for (let i = 0; i < 4; i++) names.push((await createWorkload(ctx, createInput())).name)
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(workloadName.safeParse(name).success).toBe(true)
  })

  it('stops at the limit of waiting workloads, also when 30 come at once', async () => {
    const ctx = await asked()
    const old = new Date(ctx.now().getTime() - 3_600_000)
    for (let i = 0; i < LIMITS.pendingWorkloadsPerTenant - 5; i++) {
      const id = ctx.newId()
      const { kind, spec } = createInput()
      const label = id.replaceAll('-', '')
      await insertWorkload(get(), ctx.tenantId, {
        id,
        ownerId: ctx.person.id,
        kind,
        spec,
        settings: NO_SETTINGS,
        name: `w-${i}`,
        label,
        createdAt: old,
      })
    }
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => createWorkload(ctx, createInput())))
    const refused = results.flatMap((r) => (r.status === 'rejected' ? [r.reason] : []))
    expect(refused).toHaveLength(25)
    expect(refused[0]).toMatchObject({ code: 'over_limit', args: { limit: 'pendingWorkloadsPerTenant', max: 200 } })
    expect(await rowsOf(ctx.tenantId)).toBe(LIMITS.pendingWorkloadsPerTenant)
  })

  it('stops at the limit of creates a minute, and goes on after it', async () => {
    const clock = new TestClock()
    const ctx = ctxFor(get(), await seedTenant(get()), { clock })
    for (let i = 0; i < LIMITS.createsPerMinute; i++) await createWorkload(ctx, createInput())
    const over = createWorkload(ctx, createInput())
    await expect(over).rejects.toMatchObject({ code: 'over_limit', args: { limit: 'createsPerMinute', retrySeconds: 60 } })
    clock.advance(60_001)
    await createWorkload(ctx, createInput())
  })

  it('refuses a viewer, a runtime that the catalog lacks or has for another kind, an unknown class and a foreign machine', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const viewer = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'viewer') })
    await expect(createWorkload(viewer, createInput())).rejects.toMatchObject({ code: 'forbidden' })
    const invalid = [
      ['spec.runtime', createInput({ spec: { runtime: 'nothing' } })],
      ['spec.runtime', createInput({ spec: { runtime: 'jupyterlab' } })],
      ['spec.gpu.class', createInput({ spec: { gpu: { class: 'no-such-gpu', count: 1 } } })],
      ['spec.command', createInput({ kind: 'notebook', spec: { runtime: 'jupyterlab', command: ['sh'] } })],
      ['spec.requirements', createInput({ spec: { requirements: ['numpy'] } })],
    ] as const
    for (const [field, input] of invalid)
      await expect(createWorkload(ctx, input)).rejects.toMatchObject({ code: 'invalid', args: { field } })
    await expect(createWorkload(ctx, createInput({ kind: 'endpoint' }))).rejects.toThrow(/for an endpoint$/)
    await expect(createWorkload(ctx, invalid[2][1])).rejects.toThrow(String(CATALOG.classes[0]?.id))
    const foreign = await seedMachine(get(), await seedTenant(get()))
    const there = createWorkload(ctx, createInput({ spec: { machineId: foreign.id } }))
    await expect(there).rejects.toMatchObject({ code: 'not_found', args: { what: 'machine' } })
    expect(await rowsOf(ctx.tenantId)).toBe(0)
  })

  it('keeps a request as it was written', async () => {
    const ctx = await asked()
    const input = createInput({
      kind: 'notebook',
      spec: { runtime: 'jupyterlab', gpu: { class: CATALOG.classes[0]?.id, count: 2 }, requirements: ['numpy>=2,<3'] },
    })
    expect((await createWorkload(ctx, input)).spec).toEqual(input.spec)
  })
})

describe('the digest of a request', () => {
  it('ignores order and the key itself, and nothing else', () => {
    const input = createInput({ name: 'a', idempotencyKey: 'k' })
    const { spec, ...rest } = input
    const reordered = {
      ...rest,
      spec: Object.fromEntries(Object.entries(spec).reverse()) as typeof spec,
      idempotencyKey: 'other',
    }
    expect(requestDigest(reordered)).toBe(requestDigest(input))
    expect(requestDigest({ ...input, name: 'b' })).not.toBe(requestDigest(input))
    expect(requestDigest({ ...input, spec: { ...spec, command: ['a', 'b'] } })).not.toBe(
      requestDigest({ ...input, spec: { ...spec, command: ['b', 'a'] } }),
    )
  })
})
