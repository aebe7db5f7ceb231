import { expect, it } from 'vitest'
import { NO_SETTINGS, type WorkloadSettings } from '@/domain/workloads'
import { setPlannedStop } from '@/server/store/settings'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedRunning, seedTenant } from '@/testing/seed'
import { deleteWorkload } from './deletion'
import { openUrl } from './opening'
import { setRequirements } from './packages'
import { keepWorkload, setSettings } from './settings'
import { createWorkload, getWorkload, listEvents } from './workloads'

const settings = (change: Partial<WorkloadSettings>): WorkloadSettings => ({ ...NO_SETTINGS, ...change })

eachProvider('settings', (get) => {
  async function running() {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const machine = await seedMachine(get(), seed)
    return { clock, ctx, seed, machine, workload: await seedRunning(ctx, machine) }
  }

  it('are kept at creation and changed while it runs; a plan of the old ones is dropped, and a line says who', async () => {
    const { ctx, workload } = await running()
    const parkAt = { cron: '0 22 * * 1-5', timeZone: 'Europe/Berlin' }
    const created = await createWorkload(ctx, createInput({ settings: { parkAt } }))
    expect(created.settings).toEqual(settings({ parkAt }))
    const { id } = workload
    await setPlannedStop(get(), ctx.tenantId, { id, stopAt: ctx.now(), stopWhy: 'idle' })
    const changed = await setSettings(ctx, id, settings({ idleMinutes: 30 }))
    expect(changed).toMatchObject({ settings: { idleMinutes: 30 }, stopAt: null, stopWhy: null, version: workload.version })
    await setSettings(ctx, id, settings({ idleMinutes: 30 }))
    const codes = (await listEvents(ctx, { id })).map((event) => event.reason.code)
    expect(codes.filter((code) => code === 'settings_changed')).toHaveLength(1)
  })

  it.each([
    ['cron', { cron: 'every night', timeZone: 'Europe/Berlin' }, /^five fields/],
    ['cron', { cron: '0 0 22 * * *', timeZone: 'Europe/Berlin' }, /^five fields/],
    ['cron', { cron: '0 25 * * *', timeZone: 'Europe/Berlin' }, /^hour: 0 to 23; not 25$/],
    ['cron', { cron: '99 99 * * *', timeZone: 'Europe/Berlin' }, /^minute: 0 to 59; not 99$/],
    ['cron', { cron: '0 22 * * 1-9', timeZone: 'Europe/Berlin' }, /^weekday: 0 to 7, .*; not 1-9$/],
    ['cron', { cron: '0 0 31 2 *', timeZone: 'Europe/Berlin' }, /^no such day ever comes$/],
    ['timeZone', { cron: '0 22 * * *', timeZone: 'Mars/Base' }, /IANA/],
  ])(
    'a schedule that no clock can follow is refused by its field parkAt.%s, with nothing written',
    async (name, parkAt, limit) => {
      const { ctx, workload } = await running()
      const refusal = { code: 'invalid', args: { field: `settings.parkAt.${name}`, limit: expect.stringMatching(limit) } }
      await expect(setSettings(ctx, workload.id, settings({ parkAt }))).rejects.toMatchObject(refusal)
      await expect(createWorkload(ctx, createInput({ settings: { parkAt } }))).rejects.toMatchObject(refusal)
      expect((await getWorkload(ctx, workload.id)).settings).toEqual(NO_SETTINGS)
      expect(await get().workload.count({ where: { tenantId: ctx.tenantId } })).toBe(1)
    },
  )

  it('are refused for what has ended', async () => {
    const { ctx } = await running()
    const { id } = await createWorkload(ctx, createInput())
    await deleteWorkload(ctx, id)
    await expect(setSettings(ctx, id, settings({ idleMinutes: 30 }))).rejects.toMatchObject({ code: 'wrong_state' })
    await expect(keepWorkload(ctx, id)).rejects.toMatchObject({ code: 'wrong_state' })
  })

  it('keep puts an idle stop off and counts as activity; a limit or schedule is not kept off', async () => {
    const { ctx, workload, clock } = await running()
    const { id } = workload
    const lines = async () => (await listEvents(ctx, { id })).filter((event) => event.reason.code === 'kept_by_person').length
    await keepWorkload(ctx, id)
    expect(await lines(), 'it had no idle stop').toBe(0)
    const stopAt = new Date(ctx.now().getTime() + 600_000)
    await setPlannedStop(get(), ctx.tenantId, { id, stopAt, stopWhy: 'limit' })
    await expect(keepWorkload(ctx, id)).rejects.toMatchObject({ code: 'conflict' })
    await setPlannedStop(get(), ctx.tenantId, { id, stopAt, stopWhy: 'idle' })
    const at = clock.advance(60_000)
    expect(await keepWorkload(ctx, id)).toMatchObject({ stopAt: null, stopWhy: null, lastBusyAt: at })
    expect(await lines()).toBe(1)
  })

  it('a notebook opens at its own host, a session in the dashboard; who may only look gets no address', async () => {
    const { ctx, seed, workload, clock } = await running()
    const origins = { dashboardOrigin: 'http://d', workloadOrigin: (label: string) => `http://w-${label}` }
    const notebook = await createWorkload(ctx, createInput({ kind: 'notebook', spec: { runtime: 'jupyterlab' } }))
    expect(await openUrl(ctx, notebook.id, origins)).toEqual({ url: `http://w-${notebook.label}/.berth/start` })
    const at = clock.advance(1000)
    expect(await openUrl(ctx, workload.id, origins)).toEqual({ url: `http://d/workloads/${workload.id}/terminal` })
    expect((await getWorkload(ctx, workload.id)).lastOpenedAt).toEqual(at)
    const admin = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'admin') })
    await expect(openUrl(admin, workload.id, origins)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('the timeline gives its newest page, what follows and what came before', async () => {
    const { ctx, workload } = await running()
    const { id } = workload
    for (const idleMinutes of [20, 30, 40]) await setSettings(ctx, id, settings({ idleMinutes }))
    const seqs = async (ask: object) => (await listEvents(ctx, { id, ...ask })).map((event) => event.seq)
    expect(await seqs({})).toEqual([1, 2, 3, 4, 5, 6])
    expect(await seqs({ limit: 2 })).toEqual([5, 6])
    expect(await seqs({ beforeSeq: 5, limit: 2 })).toEqual([3, 4])
    expect(await seqs({ afterSeq: 2, limit: 2 })).toEqual([3, 4])
    expect(await seqs({ afterSeq: 6 })).toEqual([])
  })

  it('the packages of a notebook change while it does not run: its next start is asked for them, and a line says who', async () => {
    const { ctx, seed, workload } = await running()
    const spec = { runtime: 'jupyterlab', requirements: ['nmpy'] }
    const { id } = await createWorkload(ctx, createInput({ kind: 'notebook', spec }))
    for (let again = 0; again < 2; again++)
      expect((await setRequirements(ctx, id, ['numpy>=2'])).spec).toMatchObject({ ...spec, requirements: ['numpy>=2'] })
    expect((await getWorkload(ctx, id)).spec.requirements).toEqual(['numpy>=2'])
    const lines = (await listEvents(ctx, { id })).filter((event) => event.reason.code === 'packages_changed')
    expect(lines).toMatchObject([{ actor: 'person', reason: { args: { person: ctx.person.name } } }])
    await expect(setRequirements(ctx, workload.id, [])).rejects.toMatchObject({
      code: 'invalid',
      args: { field: 'requirements' },
    })
    // Packages are code: who may not open it may not choose them.
    const admin = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'admin') })
    await expect(setRequirements(admin, id, ['evil'])).rejects.toMatchObject({ code: 'forbidden' })
    const machine = await seedMachine(get(), seed)
    const up = await seedRunning(ctx, machine, createInput({ kind: 'notebook', spec: { runtime: 'jupyterlab' } }))
    await expect(setRequirements(ctx, up.id, ['numpy'])).rejects.toMatchObject({ code: 'wrong_state' })
    expect((await getWorkload(ctx, up.id)).spec.requirements).toEqual([])
  })
})
