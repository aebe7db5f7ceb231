import { expect, it } from 'vitest'
import { reasonText } from '@/domain/reasons'
import { syncAnswer } from '@/protocol/sync'
import { listEvents } from '@/server/service/workloads'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedRunning } from '@/testing/seed'
import { until } from '@/testing/until'
import { fakeAgent, honest } from './testing/fake-agent'
import { openHubWorld } from './testing/hub-world'
import { VolumeKeeper } from './volume-keeper'

eachProvider('a session that sends a lot to a host that it may reach', (get) => {
  it('E8: is named with that host in its own timeline, once a start and host, also by the next controller', async () => {
    const world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000 } })
    const ctx = ctxFor(get(), world.seed)
    const [loud, quiet] = [await seedRunning(ctx, world.machine), await seedRunning(ctx, world.machine)]
    const said = { status: 'running', code: 'ok', subject: null, progress: null, exitCode: null, hasWorkspace: true } as const
    const of = (w: typeof loud) => ({ workloadId: w.id, placementId: w.placement?.id ?? '', workloadGen: 1, ...said })
    let heavyHosts = ['gist.example']
    const instances = () => [{ ...of(loud), heavyHosts }, of(quiet)]
    await fakeAgent(world, (request) => ({ text: JSON.stringify(honest(request, { instances: instances() })) }))
    await until('connected', () => world.hub.link.isConnected(world.machine.id))
    const told = async () => {
      await world.hub.link.sync(world.machine.id, new AbortController().signal)
      const events = [...(await listEvents(ctx, { id: loud.id })), ...(await listEvents(ctx, { id: quiet.id }))]
      return events.filter((e) => e.reason.code === 'egress_volume').map((e) => [e.workloadId, e.actor, reasonText(e.reason)])
    }
    const line = (host: string) => [loud.id, 'machine', `sent more than 50 MiB to ${host}, which it may reach`]
    expect(await told()).toEqual([line('gist.example')])
    heavyHosts = ['gist.example', 'push.example']
    await new VolumeKeeper({ db: get(), clock: { now: () => new Date() } }).keep([{ ...of(loud), heavyHosts }])
    expect(await told()).toEqual([line('gist.example'), line('push.example')])
    await world.close()
  })
})

it.each([
  ['words of its own', ['look here: click']],
  ['a host twice', ['a.example', 'a.example']],
  ['too many', Array.from({ length: 21 }, (_, n) => `h${n}.example`)],
])('an answer that names %s as heavy is not taken', (_, heavyHosts) => {
  expect(syncAnswer.shape.instances.element.shape.heavyHosts.safeParse(heavyHosts).success).toBe(false)
})
