import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { reasonText } from '@/domain/reasons'
import { restartWorkload } from '@/server/service/operations'
import { getWorkload, listEvents, listWorkloads } from '@/server/service/workloads'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedRunning } from '@/testing/seed'
import { until } from '@/testing/until'
import { fakeAgent, honest } from './testing/fake-agent'
import { openHubWorld } from './testing/hub-world'

eachProvider('a machine whose detached host is too old', (get) => {
  it('is believed of its own instances: pages say so while it is true, the timeline once a start', async () => {
    const world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000 } })
    const ctx = ctxFor(get(), world.seed)
    const workload = await seedRunning(ctx, world.machine)
    const said = { status: 'running', code: 'ok', subject: null, progress: null, exitCode: null, hasWorkspace: true } as const
    const own = { workloadId: workload.id, placementId: workload.placement?.id ?? '', workloadGen: 1, ...said }
    let needsRestart: boolean | undefined = false
    const reply = () => [
      { ...own, needsRestart },
      { ...own, placementId: uuidv7(), workloadGen: 2, needsRestart: true },
    ]
    await fakeAgent(world, (request) => ({ text: JSON.stringify(honest(request, { instances: reply() })) }))
    await until('connected', () => world.hub.link.isConnected(world.machine.id))
    const shown = async (says: boolean | undefined) => {
      needsRestart = says
      await world.hub.link.sync(world.machine.id, new AbortController().signal)
      const { rows } = await listWorkloads(ctx, { limit: 10 })
      expect(rows.map((row) => row.placement?.needsRestart)).toEqual([
        (await getWorkload(ctx, workload.id)).placement?.needsRestart,
      ])
      const told = (await listEvents(ctx, { id: workload.id })).filter((e) => e.reason.code === 'host_outdated')
      return [rows[0]?.placement?.needsRestart, told.map((e) => `${e.actor}: ${reasonText(e.reason)}`)]
    }
    const note = "machine: runs in an older version of Berth's host; restart it to update"
    expect(await shown(false)).toEqual([false, []])
    expect(await shown(true)).toEqual([true, [note]])
    expect(await shown(true)).toEqual([true, [note]])
    expect(await shown(undefined)).toEqual([false, [note]])
    expect((await restartWorkload(ctx, workload.id)).state).toBe('running') // nothing to do
    await get().placement.update({ where: { id: own.placementId }, data: { needsRestart: true } })
    expect((await restartWorkload(ctx, workload.id)).state).toBe('parking')
    await world.close()
  })
})
