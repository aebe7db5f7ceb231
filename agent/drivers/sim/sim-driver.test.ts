import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@/kit/clock'
import { writeJsonFile } from '../../json-file'
import { DRIVER_CASES } from '../../testing/conformance'
import type { DriverHarness } from '../../testing/conformance-world'
import { sampleSpec } from '../../testing/sample-spec'
import { createSimDriver } from './sim-driver'

const folders: string[] = []
const never = new AbortController().signal

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sim-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const openSim = (dataDir: string, bootId = 'boot-1') => createSimDriver({ dataDir, bootId, clock: systemClock })

function harness(): DriverHarness {
  const dataDir = dataFolder()
  return {
    open: async () => openSim(dataDir),
    spec: sampleSpec,
    hasWorkspace: async (id) => existsSync(join(dataDir, 'workspaces', id)),
    door: 'main',
    canPause: true,
    patienceMs: 60_000,
  }
}

describe('the sim driver, as every driver', () => {
  it.each(DRIVER_CASES)('$name', async ({ run }) => {
    await run(harness())
  })
})

describe('the sim driver', () => {
  it('fails a start as the script of the runtime says', async () => {
    const dataDir = dataFolder()
    await writeJsonFile(join(dataDir, 'sim.json'), { shell: { startFault: 'no_capacity' } })
    const driver = openSim(dataDir)
    const spec = sampleSpec()
    await driver.start(spec, never)
    expect(await driver.observe(never)).toMatchObject([{ status: 'failed', code: 'no_capacity' }])
  })

  it('calls back when a delayed start is over', async () => {
    const dataDir = dataFolder()
    await writeJsonFile(join(dataDir, 'sim.json'), { default: { startMs: 40 } })
    let now = 0
    const driver = createSimDriver({ dataDir, bootId: 'boot-1', clock: { now: () => new Date(now) } })
    await driver.start(sampleSpec(), never)
    expect(await driver.observe(never)).toMatchObject([{ status: 'starting', progress: { stage: 'starting' } }])
    await new Promise<void>((resolve) => driver.onChange(resolve)) // again and again, until it is time
    now = 40
    expect(await driver.observe(never)).toMatchObject([{ status: 'running' }])
  })

  it('ends the main process at its time and goes on running', async () => {
    const dataDir = dataFolder()
    await writeJsonFile(join(dataDir, 'sim.json'), { default: { exitAfterMs: 0, exitCode: 3 } })
    const driver = openSim(dataDir)
    await driver.start(sampleSpec(), never)
    expect(await driver.observe(never)).toMatchObject([{ status: 'running', code: 'process_ended', exitCode: 3 }])
  })

  it('has lost what ran before another boot, and kept its workspace', async () => {
    const dataDir = dataFolder()
    const spec = sampleSpec()
    await openSim(dataDir).start(spec, never)
    expect(await openSim(dataDir, 'boot-2').observe(never)).toEqual([])
    expect(existsSync(join(dataDir, 'workspaces', spec.workloadId))).toBe(true)
  })

  it('echoes what is written to a door', async () => {
    const driver = openSim(dataFolder())
    const spec = sampleSpec()
    await driver.start(spec, never)
    const door = await driver.connect(spec, 'main', never)
    door.end('ping')
    expect(String(await door.toArray())).toBe('ping')
  })
})
