import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Progress } from '@/domain/workloads'
import { doorSocket } from '@/protocol/paths'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import { ask, cell as runCell } from '@/testing/jupyter-client'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { createProcessDriver } from './process-driver'

const MINUTES = 60_000
const never = new AbortController().signal
let machine: ProcessMachine
let driver: Driver
const tenant = {
  tenantId: '01920000-0000-7000-8000-000000000001',
  ownerId: '01920000-0000-7000-8000-000000000002',
}
beforeAll(async () => {
  machine = await ProcessMachine.make()
  machine.patienceMs = 10 * MINUTES
  driver = createProcessDriver(machine.deps)
})
afterAll(() => machine.clean(driver), 5 * MINUTES)

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return '' // No process, or one that just ended.
  }
}

function notebook(over: Partial<DesiredInstance> = {}): DesiredInstance {
  return machine.spec({
    ...{ ...tenant, kind: 'notebook', runtime: 'jupyterlab', server: ['jupyterlab==4.6.6'], requirements: [], cpus: 2 },
    ...{ memoryBytes: 2 * 2 ** 30, egress: { open: true, allow: [] }, ...over },
  })
}
const main = (spec: DesiredInstance) => doorSocket(machine.deps.runtimeDir, spec.placementId, 'main')
const environments = () => readdirSync(join(machine.deps.dataDir, 'environments'))
const builds = () => environments().filter((name) => name.startsWith('.build-'))
/** Has a build come to its sandbox? */
const isBuilding = () => builds().some((name) => existsSync(join(machine.deps.dataDir, 'environments', name, 'status')))
/** Processes of builds that go on. */
const builders = () =>
  readdirSync('/proc').filter((name) => commandLine(name).includes(`${machine.deps.dataDir}/environments/.build-`))
const settled = (o: ObservedInstance) => o.status === 'running' || o.status === 'failed'

const get = (spec: DesiredInstance, path: string) => ask({ door: main(spec) }, path)
const cell = (spec: DesiredInstance, code: string) => runCell({ door: main(spec) }, code)

describe('a notebook', () => {
  let first: DesiredInstance

  it(
    'is built inside the sandbox, says how far it is, and runs once its server answers',
    async () => {
      first = notebook()
      const seen: Progress[] = []
      const watch = driver.onChange(() => {
        void driver.observe(never).then((all) => seen.push(...all.flatMap((o) => (o.progress ? [o.progress] : []))))
      })
      await driver.start(first, never)
      const running = await machine.until(driver, first, settled)
      watch()
      expect([running.status, running.code], machine.hostLog(first)).toEqual(['running', 'ok'])
      expect(new Set(seen.map((p) => p.stage))).toEqual(new Set(['creating', 'environment', 'packages', 'kernel', 'starting']))
      expect(seen.some((p) => p.stage === 'packages' && p.total !== null && p.total > 50 && (p.done ?? 0) > 0)).toBe(true)
      expect(seen.some((p) => p.detail?.includes('MB received'))).toBe(true)
      expect(environments().length).toBe(2)
      expect(readFileSync(join(machine.deps.dataDir, 'instances', first.placementId, 'log/build.log'), 'utf8')).toContain(
        'jupyterlab',
      )
    },
    12 * MINUTES,
  )

  it(
    'N6: serves its pages without a password, and runs code in an environment of its own that it cannot change',
    async () => {
      expect((await get(first, '/api')).status).toBe(200)
      expect((await get(first, '/lab')).status).toBe(200)
      expect(await cell(first, 'import sys, os; print(sys.prefix, os.getcwd(), os.getuid())')).toBe(
        '/opt/berth/kernel /workspace 1000',
      )
      expect(await cell(first, 'open("/opt/berth/server/x", "w")')).toBe('')
      const bytecode = await cell(
        first,
        'import os; print(os.path.exists("/opt/berth/server/lib/python%d.%d/site-packages/jupyterlab/__pycache__" % __import__("sys").version_info[:2]))',
      )
      expect(bytecode).toBe('True')
      // The environment is read-only; what a notebook installs is there at once, and stays in its workspace.
      expect(await cell(first, '%pip install -q iniconfig\nimport iniconfig; print(iniconfig.__file__)')).toContain(
        '/workspace/.home/.local/lib/',
      )
    },
    2 * MINUTES,
  )

  it(
    'is found again by the next agent, still running',
    async () => {
      const next = createProcessDriver(machine.deps)
      expect((await machine.until(next, first, (o) => o.status === 'running')).code).toBe('ok')
    },
    MINUTES,
  )

  it(
    'comes up again in seconds: the environments are there',
    async () => {
      const second = notebook()
      const since = performance.now()
      await driver.start(second, never)
      await machine.until(driver, second, (o) => o.status === 'running')
      machine.deps.log.warn('notebook up from cached environments', { milliseconds: Math.round(performance.now() - since) })
      expect(environments().length).toBe(2)
      await machine.remove(driver, second)
    },
    2 * MINUTES,
  )

  it(
    'fails with the package that does not exist, keeps the log and leaves nothing else',
    async () => {
      const spec = notebook({ requirements: ['six', 'berth-there-is-no-such-package>=7'] })
      await driver.start(spec, never)
      const seen = await machine.until(driver, spec, settled)
      expect([seen.status, seen.code, seen.subject]).toEqual(['failed', 'environment_failed', 'berth-there-is-no-such-package'])
      expect(environments().length).toBe(2)
      expect(existsSync(join(machine.deps.dataDir, 'instances', spec.placementId, 'log/build.log'))).toBe(true)
      expect(existsSync(main(spec))).toBe(false)
      await machine.remove(driver, spec)
    },
    5 * MINUTES,
  )

  it(
    'is built once for two that want the same at the same time',
    async () => {
      const [one, two] = [notebook({ requirements: ['six'] }), notebook({ requirements: ['six'] })]
      await Promise.all([driver.start(one, never), driver.start(two, never)])
      const seen = await Promise.all([machine.until(driver, one, settled), machine.until(driver, two, settled)])
      expect(seen.map((o) => o.status)).toEqual(['running', 'running'])
      expect(environments().length).toBe(3)
      expect(await cell(two, 'import six; print("six is here")')).toBe('six is here')
      await Promise.all([machine.remove(driver, one), machine.remove(driver, two)])
    },
    8 * MINUTES,
  )

  it(
    'leaves nothing of a build that is stopped',
    async () => {
      const spec = notebook({ requirements: ['idna'] })
      await driver.start(spec, never)
      await machine.until(driver, spec, (o) => o.progress?.stage === 'kernel')
      await machine.remove(driver, spec)
      expect(environments().length).toBe(3)
    },
    3 * MINUTES,
  )

  it(
    'goes on with the next agent when the first is killed in the middle of a build',
    async () => {
      const spec = notebook({ requirements: ['packaging'] })
      const agent = machine.spawnAgent(spec)
      await expect.poll(isBuilding, { timeout: MINUTES }).toBe(true)
      expect(builders().length).toBeGreaterThan(0)
      agent.kill('SIGKILL')
      await expect.poll(builders, { timeout: MINUTES }).toEqual([])
      const next = createProcessDriver(machine.deps)
      expect((await machine.until(next, spec, settled)).status).toBe('running')
      expect(builds()).toEqual([])
      await machine.remove(next, spec)
    },
    8 * MINUTES,
  )

  it(
    'ends with its kernels',
    async () => {
      await driver.stop(first, 'park', never)
      expect((await machine.until(driver, first, (o) => o.status === 'stopped')).hasWorkspace).toBe(true)
    },
    MINUTES,
  )
})
