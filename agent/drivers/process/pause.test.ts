import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessMachine } from '../../testing/process-machine'
import type { Driver } from '../driver'
import { readHost } from './host-control'
import { openCgroups } from './limits/open-cgroups'
import { createProcessDriver } from './process-driver'
import { terminalTimes } from './use/terminal-times'

const never = new AbortController().signal
const { canPause, enforces } = openCgroups()
let machine: ProcessMachine
let driver: Driver
beforeAll(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
})
afterAll(() => machine.clean(driver))

describe.runIf(canPause)('a paused session', () => {
  it('does nothing until it is resumed; what was typed meanwhile arrives then', async () => {
    const [still, other] = [await machine.terminal(driver), await machine.terminal(driver)]
    await machine.sh(still.client, 'MARK=kept')
    await driver.pause(still.spec, never)
    await machine.until(driver, still.spec, (o) => o.status === 'paused')
    still.client.type(1, 'echo $MARK-"now"\n')
    for (let i = 0; i < 20; i++) await machine.sh(other.client, 'echo others go on')
    expect(still.client.output.toString()).not.toContain('kept-now')
    await driver.resume(still.spec, never)
    await still.client.until({ text: 'kept-now' })
    for (const { client, spec } of [still, other]) {
      client.close()
      await machine.remove(driver, spec)
    }
  })

  it('ends like any other, also for an agent that finds it paused', async () => {
    const { client, spec } = await machine.terminal(driver)
    client.close()
    await driver.pause(spec, never)
    const next = createProcessDriver(machine.deps)
    expect((await machine.until(next, spec, (o) => o.placementId === spec.placementId)).status).toBe('paused')
    await next.stop(spec, 'park', never)
    expect((await machine.until(next, spec, (o) => o.status === 'stopped')).code).toBe('ok')
    await machine.remove(next, spec)
  })
})

describe.runIf(enforces.includes('memory'))('a program that takes too much memory', () => {
  it('X56: is named as such, and its session stays', async () => {
    const command = ['/usr/bin/python3', '-c', 'x = bytearray(400 * 2**20)']
    const spec = machine.spec({ command, memoryBytes: 128 * 2 ** 20 })
    await driver.start(spec, never)
    const seen = await machine.until(driver, spec, (o) => o.exitCode !== null)
    expect([seen.status, seen.code, seen.exitCode]).toEqual(['running', 'out_of_memory', 137])
    await machine.remove(driver, spec)
  })
})

describe('the use of a session', () => {
  it('is measured on this machine: a loop takes a core, a prompt nothing', async () => {
    const [loop, idle] = [await machine.terminal(driver), await machine.terminal(driver)]
    loop.client.type(1, 'while :; do :; done\n')
    // Its share of a machine that others use too.
    const seen = await machine.until(driver, loop.spec, (o) => (o.use?.cpu ?? 0) > 0.05)
    expect(seen.use?.memoryBytes).toBeGreaterThan(500_000)
    expect(seen.isBusy).toBe(true)
    const quiet = await machine.until(driver, idle.spec, (o) => o.use !== null && o.use !== undefined)
    expect(quiet.use?.cpu).toBeLessThan(0.1)
    const host = readHost(join(machine.deps.dataDir, 'instances', idle.spec.placementId), machine.deps.bootId)
    const times = () => terminalTimes(host?.file.childPid ?? 0)
    const before = times()
    expect(before).not.toBeNull()
    // The kernel stamps a terminal some seconds coarse.
    await expect.poll(() => machine.sh(idle.client, 'true').then(times)).not.toBe(before)
    for (const { client, spec } of [loop, idle]) {
      client.close()
      await machine.remove(driver, spec)
    }
  })
})
