import { describe, expect, it } from 'vitest'
import { placedOf } from '@/testing/workloads'
import { BACKEND_CASES } from '../testing/conformance'
import { type BackendHarness, instanceOf } from '../testing/harness'
import { READ_CASES, type ReadHarness } from '../testing/read-cases'
import { FakeBackend } from './fake-backend'

const never = new AbortController().signal

function harness(): BackendHarness & { backend: FakeBackend } {
  const backend = new FakeBackend(async () => 'box')
  const box = backend.machine('box')
  return {
    backend,
    place: async () => placedOf(),
    replace: async (w) => placedOf({ id: w.id, workloadGen: w.workloadGen + 1 }),
    asks: async () => undefined,
    hasWorkspace: async (id) => box.workspaces.has(id),
    breakStarts: async (id, code) => box.script(id, { startFault: code }),
    cut: async () => {
      box.isUp = false
    },
    mend: async () => {
      box.isUp = true
    },
    tick: async () => backend.advance(100),
    door: 'main',
    patienceMs: 1000,
  }
}

function reading(): ReadHarness {
  const { backend, cut } = harness()
  return {
    backend,
    cut,
    machineId: 'box',
    started: async (of) => placedOf(of ? { id: of.id, workloadGen: of.workloadGen + 1 } : {}),
    print: async (w, source, text) => backend.machine('box').records.print(instanceOf(w), source, text),
    save: async (w, path, text) => backend.machine('box').records.save(w.id, path, text),
  }
}

describe('the fake backend, as every backend', () => {
  it.each(READ_CASES)('$name', async ({ run }) => {
    await run(reading())
  })

  it.each(BACKEND_CASES)('$name', async ({ run }) => {
    await run(harness())
  })
})

describe('the fake backend', () => {
  it('takes its time as scripted, by its own clock alone', async () => {
    const h = harness()
    const w = await h.place()
    h.backend.machine('box').script(w.id, { startMs: 500, stopMs: 300 })
    await h.backend.start(w, { environment: {} }, never)
    const status = async () => (await h.backend.observe([instanceOf(w)], never))[0]?.status
    expect(await status()).toBe('starting')
    h.backend.advance(499)
    expect(await status()).toBe('starting')
    h.backend.advance(1)
    expect(await status()).toBe('running')
    await h.backend.park(instanceOf(w), never)
    expect(await status()).toBe('stopping')
    h.backend.advance(300)
    expect(await status()).toBe('stopped')
  })

  it('stops everything at a reboot, keeps workspaces, and has a new boot id', async () => {
    const h = harness()
    const w = await h.place()
    await h.backend.start(w, { environment: {} }, never)
    h.backend.machine('box').reboot()
    expect(await h.backend.observe([instanceOf(w)], never)).toMatchObject([
      { status: 'stopped', bootId: 'boot-2', hasWorkspace: true, acked: 'run' },
    ])
  })

  it('lets only destroy end what ignores a park', async () => {
    const h = harness()
    const w = await h.place()
    h.backend.machine('box').script(w.id, { isStubborn: true })
    await h.backend.start(w, { environment: {} }, never)
    await h.backend.park(instanceOf(w), never)
    expect(await h.backend.observe([instanceOf(w)], never)).toMatchObject([{ status: 'running', acked: 'park' }])
    await h.backend.destroy(instanceOf(w), never)
    expect(await h.backend.observe([instanceOf(w)], never)).toMatchObject([{ status: 'stopped', hasWorkspace: true }])
  })
})
