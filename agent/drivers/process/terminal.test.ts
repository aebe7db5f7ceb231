import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { doorSocket } from '@/protocol/paths'
import { isAlive } from '../../host/process-table'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { endHost, readHost } from './host-control'
import { createProcessDriver } from './process-driver'

const never = new AbortController().signal
let machine: ProcessMachine
let driver: Driver
beforeAll(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
})
afterAll(() => machine.clean(driver))

const hostOf = (placementId: string) => readHost(join(machine.deps.dataDir, 'instances', placementId), machine.deps.bootId)

describe('a terminal in the sandbox', () => {
  it('gives a prompt, runs what its controller types, and has job control', async () => {
    const { spec, client } = await machine.terminal(driver)
    expect(await machine.sh(client, 'echo hello; pwd; id -u; echo $HOME')).toBe('hello\n/workspace\n1000\n/workspace/.home')
    // The job itself says that it runs: a key before that would meet the shell between two commands.
    client.type(1, `sh -c 'echo go""ing; exec sleep 1000'\n`)
    await client.until({ text: 'going' })
    client.type(1, '\x1a')
    await client.until({ text: 'Stopped' })
    expect(await machine.sh(client, 'jobs; kill %1; wait %1; echo done')).toMatch(/Stopped[\s\S]*done/)
    client.type(1, `sh -c 'echo a""gain; exec sleep 1000; echo NEVER""SEEN'\n`)
    await client.until({ text: 'again' })
    client.type(1, '\x03')
    await client.until({ text: '^C' })
    expect(await machine.sh(client, 'echo back')).toBe('back')
    expect(client.output.includes('NEVERSEEN')).toBe(false)
    client.close()
    await machine.remove(driver, spec)
  })

  it('replays every byte to a reader that comes back, from wherever it stopped', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.type(1, 'seq 1 200000; echo END""OF""SEQ\n')
    await client.until({ seq: 200_000 })
    const cut = client.next
    client.close()
    const second = machine.attach(spec)
    await second.attach(cut).until({ text: 'ENDOFSEQ' }, 60_000)
    expect(second.from).toBe(cut)
    const whole = Buffer.concat([client.output, second.output]).toString()
    const numbers = whole.match(/^\d+\r$/gm)?.map(Number) ?? []
    expect(numbers.length).toBe(200_000)
    expect(numbers.every((n, i) => n === i + 1)).toBe(true)
    const third = machine.attach(spec)
    await third.attach(0).until({ seq: second.next }, 60_000)
    expect(third.output.subarray(0, cut).equals(client.output)).toBe(true)
    expect(third.messages.some((m) => m.type === 'gap')).toBe(false)
    second.close()
    third.close()
    await machine.remove(driver, spec)
  })

  it('lets neither a viewer nor an old generation type', async () => {
    const { spec, client } = await machine.terminal(driver)
    const viewer = machine.attach(spec)
    await viewer.attach(0).until({ message: 'attached' })
    viewer.type(1, 'echo VIEWER""TYPED\n').type(0, 'echo VIEWER""TYPED\n').type(2, 'echo VIEWER""TYPED\n')
    viewer.send({ type: 'resize', controllerGen: 1, cols: 33, rows: 7 })
    expect(await machine.sh(client, 'stty size')).toBe('24 80')
    viewer.send({ type: 'bind', controllerGen: 1 })
    await viewer.until({ message: 'stale' })
    viewer.send({ type: 'bind', controllerGen: 2 })
    await viewer.until({ message: 'bound' })
    await client.until({ message: 'stale' })
    client.type(1, 'echo FORMER""TYPED\n').type(2, 'echo FORMER""TYPED\n')
    viewer.type(2, 'echo NOW""ITYPE\n')
    await viewer.until({ text: 'NOWITYPE' })
    viewer.type(2, 'echo LAST""LINE\n')
    await viewer.until({ text: 'LASTLINE' })
    expect(viewer.output.toString()).not.toMatch(/VIEWERTYPED|FORMERTYPED/)
    client.close()
    viewer.close()
    await machine.remove(driver, spec)
  })

  it('costs nobody anything when a reader stands still', async () => {
    const { spec, client } = await machine.terminal(driver)
    const slow = machine.attach(spec)
    await slow.attach(0).until({ message: 'attached' })
    slow.pause()
    client.type(1, 'head -c 4000000 /dev/zero | tr "\\0" "x"; echo FLOOD""OVER\n')
    await client.until({ text: 'FLOODOVER' }, 60_000)
    slow.resume()
    await slow.until({ text: 'FLOODOVER' }, 60_000)
    client.close()
    slow.close()
    await machine.remove(driver, spec)
  })

  it('refuses a stream that does not attach first, and one that sends nonsense', async () => {
    const { spec, client } = await machine.terminal(driver)
    for (const bytes of [
      Buffer.from([0, 0, 0, 0, 2, 123, 125]),
      Buffer.from([3, 0, 0, 0, 1, 0]),
      Buffer.from([9, 0, 0, 0, 0]),
      Buffer.from([0, 255, 255, 255, 255]),
    ]) {
      const stranger = machine.attach(spec).raw(bytes)
      await expect(stranger.until({ message: 'attached' })).rejects.toThrow(/"isClosed":true/)
    }
    expect(await machine.sh(client, 'echo alive')).toBe('alive')
    client.close()
    await machine.remove(driver, spec)
  })

  it('stays attachable when its program ended, and says how it ended', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.type(1, 'echo last words; exit 7\n')
    await client.until({ message: 'exit' })
    expect(client.messages.at(-1)).toEqual({ type: 'exit', code: 7 })
    const seen = await machine.until(driver, spec, (o) => o.exitCode !== null)
    expect([seen.status, seen.exitCode]).toEqual(['running', 7])
    const later = machine.attach(spec)
    await later.attach().until({ message: 'exit' })
    expect(later.snapshot?.data.toString()).toContain('last words')
    await machine.remove(driver, spec)
  })

  it('draws the screen for a newcomer, and goes on from there', async () => {
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(client, 'echo on the screen')
    const newcomer = machine.attach(spec)
    await newcomer.attach().until({ message: 'snapshot' })
    await machine.sh(client, 'echo after it')
    await newcomer.until({ text: 'after it' })
    // The screen may be a moment behind the log; what it lacks follows it.
    expect(`${newcomer.snapshot?.data.toString()}${newcomer.output.toString()}`).toContain('on the screen')
    expect(newcomer.from).toBe(newcomer.snapshot?.seq)
    client.close()
    newcomer.close()
    await machine.remove(driver, spec)
  })

  it.each([
    ['process-sandboxed', '/nowhere/program', 'command_missing'],
    ['process-sandboxed', 'no-such-program', 'command_missing'],
    ['process-sandboxed', '/workspace', 'command_refused'],
    ['process-plain', 'no-such-program', 'command_missing'],
    ['process-plain', '/tmp', 'command_refused'],
  ] as const)('fails and names the program that cannot be run: %s, %s', async (row, name, code) => {
    const spec = machine.spec({ driver: row, command: [name, 'an argument'] })
    await driver.start(spec, never)
    const seen = await machine.until(driver, spec, (o) => o.status === 'failed')
    expect(seen).toMatchObject({ code, subject: name })
    const log = join(machine.deps.dataDir, 'instances', spec.placementId, 'log/build.log')
    expect(readFileSync(log, 'utf8')).toMatch(new RegExp(`# ${code}: .*: ${name}\n$`))
    expect(hostOf(spec.placementId)?.isAlive ?? false).toBe(false)
    await machine.remove(driver, spec)
  })
})

describe('an agent that ends', () => {
  it('X13: finds the same shell again: same process, same variables, every byte', async () => {
    const { spec, client } = await machine.terminal(driver)
    const pid = await machine.sh(client, 'MARK=kept; echo $$')
    const before = hostOf(spec.placementId)?.file
    client.close()
    const next = createProcessDriver(machine.deps)
    expect((await next.observe(never)).find((o) => o.placementId === spec.placementId)?.status).toBe('running')
    const again = machine.attach(spec)
    await again.attach(0).until({ message: 'attached' })
    again.send({ type: 'bind', controllerGen: 5 })
    await again.until({ message: 'bound' })
    again.type(5, 'echo $MARK-$$\n')
    await again.until({ text: `kept-${pid}` })
    expect(again.output.subarray(0, client.output.byteLength).equals(client.output)).toBe(true)
    expect(hostOf(spec.placementId)?.file).toEqual(before)
    again.close()
    await machine.remove(next, spec)
    expect(before && isAlive({ pid: before.hostPid, start: before.hostStart })).toBe(false)
  })

  it('X13: takes no session with it when it is killed', async () => {
    const spec = machine.spec()
    const agent = await machine.agentProcess(spec)
    const before = hostOf(spec.placementId)?.file
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    expect(hostOf(spec.placementId)).toEqual({ file: before, isAlive: true })
    const client = machine.attach(spec)
    await client.attach(0).until({ message: 'attached' })
    client.send({ type: 'bind', controllerGen: 1 })
    await client.until({ message: 'bound' })
    expect(await machine.sh(client, 'echo still here')).toBe('still here')
    client.close()
    await machine.remove(driver, spec)
  })

  it('X63: kills a program that ignores being asked to end, after the grace, and says so', async () => {
    const script = 'trap "" HUP INT TERM; echo kept > note; while :; do sleep 0.1; done'
    const spec = machine.spec({ command: ['/bin/bash', '-c', script] })
    await driver.start(spec, never)
    await expect.poll(() => existsSync(join(machine.deps.dataDir, 'workspaces', spec.workloadId, 'note'))).toBe(true)
    const begun = performance.now()
    await driver.stop(spec, 'park', never)
    expect(performance.now() - begun).toBeGreaterThan(LIMITS.stopGraceSeconds * 1000)
    const seen = (await driver.observe(never)).find((o) => o.placementId === spec.placementId)
    expect([seen?.status, seen?.code, seen?.hasWorkspace]).toEqual(['stopped', 'stop_forced', true])
    await machine.remove(driver, spec)
  })

  it('X62: starts over what an earlier run left at the place of its doors, and leaves that process alone', async () => {
    const spec = machine.spec()
    const place = doorSocket(machine.deps.runtimeDir, spec.placementId, 'terminal')
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    const listen = `require('net').createServer().listen(${JSON.stringify(place)}, () => console.log('there'))`
    const leftOver = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(leftOver.stdout, 'data')
    await driver.start(spec, never)
    await machine.until(driver, spec, (o) => o.status === 'running')
    const client = machine.attach(spec)
    await client.attach(0).until({ message: 'attached' })
    expect([leftOver.exitCode, leftOver.signalCode]).toEqual([null, null])
    client.close()
    leftOver.kill('SIGKILL')
    await machine.remove(driver, spec)
  })

  it('X64: does not take a stranger for its own when a pid is used again', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.close()
    const dir = join(machine.deps.dataDir, 'instances', spec.placementId)
    const real = hostOf(spec.placementId)?.file
    const stranger = spawn('sleep', ['1000'], { stdio: 'ignore' })
    const forged = { ...real, hostPid: stranger.pid, hostStart: '1', childPid: stranger.pid, childStart: '1' }
    writeFileSync(join(dir, 'host.json'), JSON.stringify(forged))
    expect((await driver.observe(never)).find((o) => o.placementId === spec.placementId)?.status).toBe('failed')
    await endHost(dir, machine.deps.bootId)
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
    stranger.kill('SIGKILL')
    writeFileSync(join(dir, 'host.json'), JSON.stringify(real))
    await machine.remove(driver, spec)
  })

  it('X16: says "stopped" of what ran before the machine was restarted, with its workspace', async () => {
    const { spec, client } = await machine.terminal(driver)
    client.close()
    const rebooted = createProcessDriver({ ...machine.deps, bootId: 'another-boot' })
    const seen = (await rebooted.observe(never)).find((o) => o.placementId === spec.placementId)
    expect([seen?.status, seen?.hasWorkspace]).toEqual(['stopped', true])
    await machine.remove(driver, spec)
  })
})
