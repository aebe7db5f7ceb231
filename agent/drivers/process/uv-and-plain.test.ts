import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doorSocket, doorTokenFile } from '@/protocol/paths'
import type { DesiredInstance } from '@/protocol/sync'
import { ask, cell } from '@/testing/jupyter-client'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { createProcessDriver } from './process-driver'
import { lookAtKernels } from './use/kernel-look'

const MINUTES = 60_000
const never = new AbortController().signal
const path = process.env.PATH
const tenant = { tenantId: '01920000-0000-7000-8000-000000000001', ownerId: '01920000-0000-7000-8000-000000000002' }
let machine: ProcessMachine
let driver: Driver
/** Of the owner: a real uv, and an environment with ipykernel. */
let home = ''
beforeAll(async () => {
  machine = await ProcessMachine.make()
  machine.patienceMs = 8 * MINUTES
  home = mkdtempSync(join(tmpdir(), 'uv-'))
  chmodSync(home, 0o755)
  const tool = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 5 * MINUTES })
  tool('/usr/bin/python3', '-m', 'venv', join(home, 'tools'))
  tool(join(home, 'tools/bin/pip'), 'install', '-q', '--disable-pip-version-check', 'uv')
  tool(join(home, 'tools/bin/uv'), 'venv', '-q', '--python', '/usr/bin/python3', join(home, 'mine'))
  tool(join(home, 'tools/bin/uv'), 'pip', 'install', '-q', '--python', join(home, 'mine/bin/python'), 'ipykernel')
  process.env.PATH = `${join(home, 'tools/bin')}:${path}`
  driver = createProcessDriver(machine.deps)
}, 12 * MINUTES)
afterAll(async () => {
  process.env.PATH = path
  await machine.clean(driver)
  rmSync(home, { recursive: true, force: true })
}, 5 * MINUTES)

function notebook(over: Partial<DesiredInstance> = {}): DesiredInstance {
  return machine.spec({
    ...{ ...tenant, kind: 'notebook', runtime: 'jupyterlab', server: ['jupyterlab==4.6.6'], requirements: [], cpus: 2 },
    ...{ memoryBytes: 2 * 2 ** 30, egress: { open: true, allow: [] }, ...over },
  })
}
const door = (spec: DesiredInstance) => doorSocket(machine.deps.runtimeDir, spec.placementId, 'main')
const settled = async (spec: DesiredInstance) => {
  const seen = await machine.until(driver, spec, (o) => o.status === 'running' || o.status === 'failed')
  const log = join(machine.deps.dataDir, 'instances', spec.placementId, 'log/build.log')
  expect([seen.status, seen.code], existsSync(log) ? readFileSync(log, 'utf8').slice(-3000) : machine.hostLog(spec)).toEqual([
    'running',
    'ok',
  ])
}

describe('a notebook on a machine with uv', () => {
  it(
    'is built by it, and its kernel may be a Python of its owner, which it cannot change',
    async () => {
      const python = join(home, 'mine/bin/python')
      const spec = notebook({ python, mountRoots: [home] })
      await driver.start(spec, never)
      await settled(spec)
      const server = { door: door(spec) }
      expect((await ask(server, '/lab')).status).toBe(200)
      expect(await cell(server, 'import sys, os; print(sys.prefix, os.getcwd())')).toBe(`${join(home, 'mine')} /workspace`)
      const write = 'import sys, os\ntry: open(sys.prefix + "/x", "w")\nexcept OSError as e: print(e.strerror)'
      expect(await cell(server, write)).toBe('Read-only file system')
      // One environment was built: the server's.
      expect(readdirSync(join(machine.deps.dataDir, 'environments')).length).toBe(1)
      await machine.remove(driver, spec)
      expect(existsSync(python)).toBe(true)
    },
    10 * MINUTES,
  )
})

describe('a notebook where there is no sandbox', () => {
  it(
    'K10: listens on a socket that only its user opens, and only who has the token, which no process shows, gets in',
    async () => {
      const spec = notebook({ driver: 'process-plain', requirements: ['six'] })
      await driver.start(spec, never)
      await settled(spec)
      expect(statSync(dirname(door(spec))).mode & 0o777).toBe(0o700)
      const file = doorTokenFile(machine.deps.runtimeDir, spec.placementId)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await ask({ door: door(spec) }, '/api/kernels')).status).toBe(403)
      expect((await ask({ door: door(spec), token: 'guessed' }, '/api/kernels')).status).toBe(403)
      const server = { door: door(spec), token: readFileSync(file, 'utf8') }
      expect((await ask(server, '/lab')).status).toBe(200)
      const workspace = join(machine.deps.dataDir, 'workspaces', spec.workloadId)
      expect(await cell(server, 'import os, six; print(os.getcwd(), "TOKEN" in str(os.environ.get("JUPYTER_TOKEN")))')).toBe(
        `${workspace} False`,
      )
      // What tells an idle notebook from one that works.
      // A kernel says that it is idle a moment after its last answer.
      await expect
        .poll(() => lookAtKernels({ path: server.door, secret: server.token }))
        .toMatchObject({ isBusy: false, activity: expect.stringMatching(/^[0-9a-f-]{36} \d{4}-/) })
      const arguments_ = execFileSync(
        'sh',
        ['-c', 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"'],
        { encoding: 'latin1', maxBuffer: 2 ** 28 },
      )
      expect(arguments_.includes(server.token)).toBe(false)
      await driver.stop(spec, 'park', never)
      expect((await machine.until(driver, spec, (o) => o.status === 'stopped')).hasWorkspace).toBe(true)
      expect(existsSync(door(spec))).toBe(false)
      expect(existsSync(file)).toBe(false)
      await machine.remove(driver, spec)
    },
    10 * MINUTES,
  )

  it(
    'fails with the package that does not exist, and leaves nothing of its environment',
    async () => {
      const before = readdirSync(join(machine.deps.dataDir, 'environments')).sort()
      const spec = notebook({ driver: 'process-plain', requirements: ['berth-there-is-no-such-package>=7'] })
      await driver.start(spec, never)
      const seen = await machine.until(driver, spec, (o) => o.status === 'failed')
      expect([seen.code, seen.subject]).toEqual(['environment_failed', 'berth-there-is-no-such-package'])
      expect(readdirSync(join(machine.deps.dataDir, 'environments')).sort()).toEqual(before)
      await machine.remove(driver, spec)
    },
    5 * MINUTES,
  )
})
