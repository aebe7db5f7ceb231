import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PROTOCOL } from '@/protocol/version'
import { instancePaths } from '../../host/host-launch'
import { isAlive } from '../../host/process-table'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { readHost } from './host-control'
import { createProcessDriver } from './process-driver'

const never = new AbortController().signal
let machine: ProcessMachine
let driver: Driver
beforeEach(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
})
afterEach(() => machine.clean(driver))

const paths = (placementId: string) => instancePaths(join(machine.deps.dataDir, 'instances', placementId))
const hostOf = (placementId: string) => readHost(join(machine.deps.dataDir, 'instances', placementId), machine.deps.bootId)
function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return '' // No process, or one that just ended.
  }
}
const hosts = (placementId: string) =>
  readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && / run \S*launch\.json/.test(commandLine(name)) && commandLine(name).includes(placementId),
  )

describe('X15: an upgrade under a running session', () => {
  it('leaves it in the code that it was started from: the same shell goes on, a new one runs the new code', async () => {
    const { spec, client } = await machine.terminal(driver)
    const shell = await machine.sh(client, 'MARK=kept; echo $$')
    const old = hostOf(spec.placementId)?.file
    client.close()
    appendFileSync(join(machine.deps.codeDir, 'session-host.mjs'), '\n// newer\n')
    const next = createProcessDriver(machine.deps)
    const newer = await machine.terminal(next)
    const copies = [old?.hostPid, hostOf(newer.spec.placementId)?.file.hostPid].map(
      (pid) => /host\/([0-9a-f]{32})\//.exec(commandLine(pid ?? 0))?.[1],
    )
    expect(new Set(copies).size).toBe(2)
    expect((await machine.files('host')).sort()).toEqual([...copies].sort())
    const again = machine.attach(spec)
    await again.attach(0).until({ message: 'attached' })
    again.send({ type: 'bind', controllerGen: 9 })
    await again.until({ message: 'bound' })
    again.type(9, 'echo $MARK-$$\n')
    await again.until({ text: `kept-${shell}` })
    expect(hostOf(spec.placementId)?.file).toEqual(old)
    for (const one of [again, newer.client]) one.close()
    for (const one of [spec, newer.spec]) await machine.remove(next, one)
  })

  it('says "needs a restart" of a host that is two versions behind, and ends neither it nor the one before', async () => {
    const { spec, client } = await machine.terminal(driver)
    const { hostFile } = paths(spec.placementId)
    const file = JSON.parse(readFileSync(hostFile, 'utf8')) as { hostPid: number; hostStart: string }
    const seen = async (protocol: number) => {
      writeFileSync(hostFile, JSON.stringify({ ...file, protocol, later: 'something that this build does not know' }))
      return (await createProcessDriver(machine.deps).observe(never)).find((o) => o.placementId === spec.placementId)
    }
    expect(await seen(PROTOCOL.host)).toMatchObject({ status: 'running', needsRestart: false })
    expect(await seen(PROTOCOL.host - 1)).toMatchObject({ status: 'running', needsRestart: false })
    expect(await seen(PROTOCOL.host - 2)).toMatchObject({ status: 'running', needsRestart: true })
    expect(await machine.sh(client, 'echo alive')).toBe('alive')
    client.close()
    await machine.remove(driver, spec)
    expect(isAlive({ pid: file.hostPid, start: file.hostStart })).toBe(false)
  })
})

describe('SIGKILL', () => {
  it.each(['recordFile', 'launchFile', 'hostFile'] as const)(
    'X14: of the agent once %s is there: the next one brings up exactly one copy',
    async (step) => {
      const spec = machine.spec()
      const agent = machine.spawnAgent(spec)
      await expect.poll(() => existsSync(paths(spec.placementId)[step]), { interval: 1 }).toBe(true)
      agent.kill('SIGKILL')
      await once(agent, 'exit')
      const next = createProcessDriver(machine.deps)
      await machine.until(next, spec, (o) => o.status === 'running')
      // A second one that finds the instance taken ends before it starts anything.
      await expect.poll(() => hosts(spec.placementId)).toEqual([String(hostOf(spec.placementId)?.file.hostPid)])
      await machine.remove(next, spec)
      expect(hosts(spec.placementId)).toEqual([])
    },
  )

  it('X54: of a session-host takes its sandbox with it, is told as an end, and can be cleared away', async () => {
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(client, 'sleep 7009 & setsid sleep 7009 & true')
    const file = hostOf(spec.placementId)?.file
    process.kill(file?.hostPid ?? 0, 'SIGKILL')
    const seen = await machine.until(driver, spec, (o) => o.status === 'failed')
    expect([seen.code, seen.exitCode]).toEqual(['process_ended', 137])
    const init = { pid: file?.childPid ?? 0, start: file?.childStart ?? '' }
    await machine.until(driver, spec, (o) => o.isGone === true)
    expect(isAlive(init)).toBe(false)
    client.close()
    await driver.stop(spec, 'park', never)
    expect(await machine.hasWorkspace(spec.workloadId)).toBe(true)
    await machine.remove(driver, spec)
  })
})

describe('berth stop --all', () => {
  it('is told by the next agent as a stop in order, with the files there; what lived on all the same goes on', async () => {
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(client, 'echo kept > /workspace/note')
    client.close()
    const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'berth.mjs')
    const env = { ...process.env, BERTH_HOME: machine.deps.dataDir }
    const { stdout } = spawnSync(process.execPath, [script, 'stop', '--all'], { env, encoding: 'utf8' })
    expect(stdout).toContain(`ended terminal of workload ${spec.workloadId}`)
    driver = createProcessDriver(machine.deps)
    const other = await machine.terminal(driver)
    writeFileSync(paths(other.spec.placementId).endedFile, '')
    driver = createProcessDriver(machine.deps)
    const seen = await driver.observe(never)
    const of = ({ placementId }: { placementId: string }) => seen.find((o) => o.placementId === placementId)
    expect(of(spec)).toMatchObject({ status: 'stopped', code: 'ended_with_berth', hasWorkspace: true })
    expect(of(other.spec)).toMatchObject({ status: 'running', code: 'ok' })
    expect([spec, other.spec].map((s) => existsSync(paths(s.placementId).endedFile))).toEqual([false, false])
    expect(readFileSync(join(machine.deps.dataDir, 'workspaces', spec.workloadId, 'note'), 'utf8')).toBe('kept\n')
    other.client.close()
    await driver.forget(spec)
    await machine.remove(driver, other.spec)
  })
})

describe('an instance of another boot', () => {
  it('leaves no policy behind when the next agent looks', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.close()
    await driver.stop(spec, 'park', never)
    const other = await machine.terminal(driver)
    other.client.close()
    const policies = () => machine.files(join('egress', 'policies'))
    expect(await policies()).toHaveLength(1)
    await createProcessDriver({ ...machine.deps, bootId: 'another-boot' }).observe(never)
    await expect.poll(policies).toEqual([])
    await machine.remove(driver, other.spec)
  })
})

/** A pipe by its name, to write into, once somebody reads it; -1 before. */
function readBy(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return -1
  }
}

describe('a look while an instance is being stopped', () => {
  it('never tells its end as a failure, however long the look takes', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.close()
    // The record of another one is not read to its end before the stop has come to its end.
    const slow = machine.spec()
    const file = paths(slow.placementId).recordFile
    mkdirSync(dirname(file), { recursive: true })
    execFileSync('mkfifo', [file])
    const looking = driver.observe(never)
    let pipe = -1
    await expect.poll(() => (pipe = readBy(file))).toBeGreaterThan(0)
    for (let n = 0; n < 5; n++) await readFile(paths(spec.placementId).recordFile) // as long as that of the first one takes
    await driver.stop(spec, 'park', never)
    writeSync(pipe, JSON.stringify({ spec: slow, bootId: machine.deps.bootId, phase: 'kept', code: 'ok', subject: null }))
    closeSync(pipe)
    const seen = (await looking).find((o) => o.placementId === spec.placementId)
    expect(seen).toMatchObject({ status: 'stopped', code: 'ok' })
  })
})
