import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { Means } from './check-start'
import type { Driver } from './drivers/driver'
import { createSimDriver } from './drivers/sim/sim-driver'
import { writeJsonFile } from './json-file'
import { openState } from './state'
import { AgentSync } from './sync'
import { sampleSpec } from './testing/sample-spec'

const log = createLog('test', { level: 'fatal' })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const MEANS: Means = {
  drivers: [{ row: 'sim', works: true, detail: null, fix: null, canPause: true }],
  freeDevices: ['gpu-a'],
  cpus: 4,
  memoryBytes: 2 ** 34,
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sync-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An agent over a data folder; opening it again is a restart. */
async function agent(dataDir: string, wrap: (driver: Driver) => Driver = (d) => d) {
  const driver = wrap(createSimDriver({ dataDir, bootId: 'boot-1', clock: systemClock }))
  const sync = new AgentSync({ drivers: [driver], state: await openState(join(dataDir, 'agent')), means: () => MEANS, log })
  const end = new AbortController()
  const running = sync.run(end.signal)
  const close = async () => {
    end.abort()
    await running
  }
  cleanUps.push(close)
  return { sync, close }
}

/** Asks again at each change until the wanted picture is there. */
async function until(sync: AgentSync, desired: DesiredInstance[], isIt: (seen: ObservedInstance[]) => boolean) {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const off = sync.onChange(() => {
        off()
        resolve()
      })
    })
    const seen = await sync.apply(desired)
    if (isIt(seen)) return seen
    await changed
  }
}
const statuses = (seen: readonly ObservedInstance[]) => seen.map((o) => o.status)

/** Everything as the driver itself does it. */
const passedOn = (driver: Driver): Driver => ({
  rows: driver.rows,
  start: (spec, s) => driver.start(spec, s),
  pause: (i, s) => driver.pause(i, s),
  resume: (i, s) => driver.resume(i, s),
  stop: (i, how, s) => driver.stop(i, how, s),
  forget: (i) => driver.forget(i),
  observe: (s) => driver.observe(s),
  connect: (i, door, s) => driver.connect(i, door, s),
  onChange: (l) => driver.onChange(l),
})

/** A driver whose starts wait until the test lets them go. */
function gated(): { wrap: (driver: Driver) => Driver; open: () => void; starts: () => number } {
  let open: () => void = () => undefined
  let starts = 0
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const wrap = (driver: Driver): Driver => ({
    ...passedOn(driver),
    start: async (spec, signal) => {
      starts += 1
      await Promise.race([gate, new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))])
      return driver.start(spec, signal)
    },
  })
  return { wrap, open: () => open(), starts: () => starts }
}

describe('the agent’s sync', () => {
  it('answers at once with what it accepted, and starts it behind the answer', async () => {
    const gate = gated()
    const { sync } = await agent(dataFolder(), gate.wrap)
    const spec = sampleSpec()
    expect(statuses(await sync.apply([spec]))).toEqual(['starting'])
    expect(statuses(await sync.apply([spec]))).toEqual(['starting'])
    gate.open()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    expect(gate.starts()).toBe(1)
  })

  it('parks, and forgets what is parked and no longer listed', async () => {
    const { sync } = await agent(dataFolder())
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    const parked = { ...spec, want: 'park' as const }
    expect(await until(sync, [parked], (seen) => seen[0]?.status === 'stopped')).toMatchObject([{ hasWorkspace: true }])
    expect(await until(sync, [], (seen) => seen.length === 0)).toEqual([])
  })

  it('leaves alone what runs and is no longer listed', async () => {
    const { sync } = await agent(dataFolder())
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    await sync.apply([])
    expect(statuses(await sync.apply([]))).toEqual(['running'])
  })

  it('N5, N11: removes the files of a workload that it has forgotten', async () => {
    const { sync } = await agent(dataFolder())
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    await until(sync, [{ ...spec, want: 'park' }], (seen) => seen[0]?.status === 'stopped')
    await until(sync, [], (seen) => seen.length === 0)
    await until(sync, [{ ...spec, want: 'remove', isAcked: true }], (seen) => seen[0]?.status === 'removed')
    const again = sampleSpec({ workloadId: spec.workloadId, workloadGen: 2, needsWorkspace: true })
    expect(await until(sync, [again], (seen) => seen.some((o) => o.status === 'failed'))).toMatchObject([
      { code: 'workspace_missing' },
    ])
  })

  it('N5: removes the files of what is ordered to go while it is being parked', async () => {
    const dataDir = dataFolder()
    let [letGo, begun] = [() => {}, () => {}]
    const isBegun = new Promise<void>((resolve) => (begun = resolve))
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
    /** Comes to its end whatever is ordered meanwhile, as a program that is being ended does. */
    const slowStop = (driver: Driver): Driver => ({
      ...passedOn(driver),
      stop: async (i, how) => {
        begun()
        await isLetGo
        await driver.stop(i, how, AbortSignal.any([]))
      },
    })
    const { sync } = await agent(dataDir, slowStop)
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    await sync.apply([{ ...spec, want: 'park' }])
    await isBegun
    await sync.apply([{ ...spec, want: 'remove' }])
    letGo()
    await until(sync, [{ ...spec, want: 'remove' }], (seen) => seen[0]?.status === 'removed')
    expect(existsSync(join(dataDir, 'workspaces', spec.workloadId))).toBe(false)
  })

  it('finds everything after a restart, and goes on without the controller', async () => {
    const dataDir = dataFolder()
    await writeJsonFile(join(dataDir, 'sim.json'), { default: { stopMs: 600_000 }, quick: {} })
    const first = await agent(dataDir)
    const [runs, ends] = [sampleSpec({ runtime: 'quick' }), sampleSpec()]
    await until(first.sync, [runs, ends], (seen) => seen.every((o) => o.status === 'running'))
    await until(first.sync, [runs, { ...ends, want: 'park' }], (seen) => seen.some((o) => o.status === 'stopping'))
    await first.close()

    await writeJsonFile(join(dataDir, 'sim', `${ends.placementId}.json`), simFile(ends))
    const second = await agent(dataDir)
    const seen = await until(second.sync, [runs], (o) => !o.some((x) => x.placementId === ends.placementId))
    expect(seen).toMatchObject([{ placementId: runs.placementId, status: 'running' }])
  })

  it('starts after a restart what it accepted and could not begin', async () => {
    const dataDir = dataFolder()
    const first = await agent(dataDir, gated().wrap)
    const spec = sampleSpec()
    await first.sync.apply([spec])
    await first.close()
    const second = await agent(dataDir)
    await until(second.sync, [spec], (seen) => seen[0]?.status === 'running')
  })

  it('never starts again what vanished', async () => {
    const dataDir = dataFolder()
    const { sync } = await agent(dataDir)
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    rmSync(join(dataDir, 'sim', `${spec.placementId}.json`))
    expect(await sync.apply([spec])).toEqual([])
    expect(await sync.apply([spec])).toEqual([])
  })

  it('lets a stop cut a start short', async () => {
    const gate = gated()
    const { sync } = await agent(dataFolder(), gate.wrap)
    const spec = sampleSpec()
    await sync.apply([spec])
    expect(await until(sync, [{ ...spec, want: 'destroy' }], (seen) => seen[0]?.status === 'stopped')).toHaveLength(1)
  })

  it.each([
    ['a driver that is not here', { driver: 'docker' as const }, 'driver_missing'],
    ['a GPU that is not free', { devices: ['gpu-b'] }, 'no_capacity'],
    ['the same GPU twice', { devices: ['gpu-a', 'gpu-a'] }, 'no_capacity'],
    ['more CPUs than the machine has', { cpus: 5 }, 'no_capacity'],
    ['more memory than the machine has', { memoryBytes: 2 ** 40 }, 'no_capacity'],
  ])('M9, N9: refuses %s by a code, whatever the controller decided', async (_, over, code) => {
    const { sync } = await agent(dataFolder())
    const spec = sampleSpec(over)
    expect(await until(sync, [spec], (seen) => seen[0]?.status === 'failed')).toMatchObject([{ code }])
  })

  it('answers with an error, not with a guess, when a driver cannot say what it has', async () => {
    const broken = (driver: Driver): Driver => ({
      ...gated().wrap(driver),
      observe: () => Promise.reject(new Error('cannot look')),
    })
    const { sync } = await agent(dataFolder(), broken)
    await expect(sync.apply([])).rejects.toThrow('cannot look')
  })

  it('opens doors of what it holds alone', async () => {
    const { sync } = await agent(dataFolder())
    const spec = sampleSpec()
    await until(sync, [spec], (seen) => seen[0]?.status === 'running')
    const door = await sync.connect(spec.placementId, 'main', AbortSignal.timeout(20_000))
    door?.destroy()
    expect(door).not.toBeNull()
    expect(await sync.connect(uuidv7(), 'main', AbortSignal.timeout(20_000))).toBeNull()
  })
})

/** The same simulated instance, whose stop takes no time any more. */
function simFile(spec: DesiredInstance) {
  const { workloadId, placementId, workloadGen } = spec
  const script = { startMs: 0, stopMs: 0, startFault: null, exitAfterMs: null, exitCode: 0 }
  return { instance: { workloadId, placementId, workloadGen }, script, bootId: 'boot-1', startedAt: 0, phase: 'stopping' }
}
