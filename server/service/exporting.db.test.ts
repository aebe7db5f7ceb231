import { expect, it } from 'vitest'
import { type CreateWorkloadInput, createWorkloadInput } from '@/domain/workloads'
import { putShare } from '@/server/store/shares'
import { GIB } from '@/testing/candidates'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedMember, seedTenant } from '@/testing/seed'
import { EXPORTED_EVENTS_MAX, exportWorkload } from './exporting'
import { setMountRoots } from './machines'
import { renameWorkload } from './operations'
import { createWorkload } from './workloads'

eachProvider('export', (get, provider) => {
  async function made() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed)
    await setMountRoots(ctx, machine.id, ['/home/mara'])
    /** Every field that a person can give. */
    const input: Required<CreateWorkloadInput> = {
      kind: 'notebook',
      name: 'first',
      idempotencyKey: 'my-secret-key',
      settings: { idleMinutes: 60, limitMinutes: 600, parkAt: { cron: '0 22 * * *', timeZone: 'Europe/Berlin' } },
      spec: {
        runtime: 'jupyterlab',
        cpus: 2,
        memoryBytes: GIB,
        diskBytes: GIB,
        gpu: { class: 'l4-24gb', count: 1, allowFallbacks: true },
        machineId: machine.id,
        command: null,
        requirements: ['numpy>=2'],
        mounts: [{ path: '/home/mara/data', mode: 'rw' }],
        python: '/home/mara/venv/bin/python',
        rebootPolicy: 'resume',
      },
    }
    const { id } = await createWorkload(ctx, createWorkloadInput.parse(input))
    const userId = (await seedMember(get(), seed, 'member')).id
    await putShare(get(), ctx.tenantId, { id: ctx.newId(), workloadId: id, userId, level: 'view', at: ctx.now() })
    await renameWorkload(ctx, id, 'second')
    return { seed, ctx, id, input, userId }
  }

  it('has every field that its user gave, all events, and the same bytes each time', async () => {
    const { ctx, id, input, userId } = await made()
    const whole = await exportWorkload(ctx, id)
    expect(whole).toMatchObject({ name: 'second', kind: input.kind, spec: input.spec, settings: input.settings })
    expect(whole.events).toMatchObject([
      { seq: 1, reason: { code: 'created' } },
      { seq: 2, text: 'renamed to second by Mara' },
    ])
    expect(whole.shares).toMatchObject([{ userId, level: 'view' }])
    expect(JSON.stringify(await exportWorkload(ctx, id))).toBe(JSON.stringify(whole))
    const given = Object.keys(createWorkloadInput.shape)
    const missing = given.filter((field) => !(field in whole) && !whole.redacted.some((line) => line.startsWith(`${field}:`)))
    expect(missing).toEqual([])
    expect(JSON.stringify(whole)).not.toContain(input.idempotencyKey)
  })

  it('L9: of a timeline without end is bounded, and says from where it goes', async () => {
    const { ctx, id } = await made()
    const more = EXPORTED_EVENTS_MAX + 300
    const columns = 'tenant_id, workload_id, change_no, at, from_state, to_state, code, args, actor, actor_id'
    const numbers =
      provider === 'sqlite' ? `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ${more})` : ''
    const from = provider === 'sqlite' ? 'n' : `generate_series(3, ${more}) AS n(i)`
    await get().$executeRawUnsafe(
      `${numbers} INSERT INTO workload_event (id, seq, ${columns}) SELECT '${id}-' || i, i, ${columns} FROM workload_event, ${from}
       WHERE workload_id = '${id}' AND seq = 2`,
    )
    const { events, redacted } = await exportWorkload(ctx, id)
    expect(events).toHaveLength(EXPORTED_EVENTS_MAX)
    expect(events).toMatchObject({ 0: { seq: 301 }, [EXPORTED_EVENTS_MAX - 1]: { seq: more } })
    expect(redacted).toContain('events: those before number 301')
  })

  it('says what somebody else does not get, and does not exist for a stranger', async () => {
    const { ctx, seed, id, userId } = await made()
    const guest = ctxFor(get(), seed, { person: { ...ctx.person, id: userId, role: 'member' } })
    const partial = await exportWorkload(guest, id)
    expect(partial.shares).toEqual([])
    expect(partial.redacted.filter((line) => line.startsWith('shares:'))).toHaveLength(1)
    const stranger = ctxFor(get(), await seedTenant(get()))
    await expect(exportWorkload(stranger, id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
