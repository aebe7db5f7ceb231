import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProcessMachine } from '../../testing/process-machine'
import { sampleSpec } from '../../testing/sample-spec'
import { readHost, spareCommand, startHost } from './host-control'
import { createProcessDriver } from './process-driver'
import { detach, SpareHost } from './spare-host'

// Says that it is there, waits for the end of its input, and repeats it.
const ECHO = [process.execPath, '-e', "console.log('up'); console.log('got ' + require('fs').readFileSync(0, 'utf8'))"]

describe('a spare host', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-spare-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const log = () => join(folder, 'spare.log')
  const to = (name: string) => ({ launchFile: `/${name}.json`, logFile: join(folder, `${name}.log`) })

  it('is given to one instance alone, with its log under the name of that instance', async () => {
    const spare = new SpareHost(log())
    spare.prepare(ECHO)
    const taken = spare.take(ECHO, to('one'))
    expect(spare.take(ECHO, to('two'))).toBeNull()
    await expect.poll(() => taken?.isEnded()).toBe(true)
    expect(readFileSync(to('one').logFile, 'utf8')).toBe('up\ngot /one.json\n')
    expect(existsSync(log())).toBe(false)
  })

  it('is not taken for another command, or over a log that is there', async () => {
    const spare = new SpareHost(log())
    spare.prepare(ECHO)
    expect(spare.take([...ECHO, 'newer code'], to('one'))).toBeNull()
    expect(spare.take(ECHO, { ...to('one'), logFile: log() })).toBeNull()
    spare.take(ECHO, to('one'))
  })

  it('ends when the agent ends', async () => {
    const { child } = detach(ECHO, { logFile: log(), isFed: true })
    const ended = once(child, 'exit')
    child.stdin?.destroy()
    expect((await ended)[0]).toBe(0)
  })
})

/** A program that ends at once when it is to wait; told to run, it claims its instance and stays. */
const BRITTLE = `import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
const [mode, launchFile] = process.argv.slice(2)
if (mode === 'wait') process.exit(0)
const stat = readFileSync('/proc/self/stat', 'latin1')
const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
const file = dirname(launchFile) + '/host.json'
const host = { ...JSON.parse(readFileSync(launchFile, 'utf8')), hostPid: process.pid, hostStart: start }
writeFileSync(file + '.new', JSON.stringify(host))
renameSync(file + '.new', file)
setInterval(() => undefined, 1000)`

describe('a start that takes the spare', () => {
  it('starts a host of its own when the spare ended just before it heard of anything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-spare-'))
    const instanceDir = join(folder, 'instance')
    mkdirSync(join(instanceDir, 'log'), { recursive: true })
    const sessionHost = join(folder, 'session-host.mjs')
    writeFileSync(sessionHost, BRITTLE)
    const { workloadId, placementId, workloadGen } = sampleSpec()
    const about = { protocol: 1, placementId, workloadId, workloadGen, bootId: 'boot', kind: 'terminal' }
    const program = { childPid: 1, childStart: '1', exitCode: null }
    writeFileSync(join(instanceDir, 'launch.json'), JSON.stringify({ ...about, ...program }))
    const spare = new SpareHost(join(folder, 'spare.log'))
    const start = { instanceDir, bootId: 'boot', sessionHost, isRoot: false, isSandboxed: false, spare }
    spare.prepare(spareCommand(start))
    const host = await startHost(start, new AbortController().signal)
    expect(host).toMatchObject({ placementId, childPid: 1 })
    process.kill(host?.hostPid ?? 0, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds its instance as any other host does, and leaves another spare behind', async () => {
    const machine = await ProcessMachine.make()
    const driver = createProcessDriver(machine.deps)
    const first = await machine.terminal(driver)
    const second = await machine.terminal(driver)
    const command = (placementId: string) => {
      const pid = readHost(join(machine.deps.dataDir, 'instances', placementId), machine.deps.bootId)?.file.hostPid ?? 0
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').filter(Boolean)
    }
    expect(command(first.spec.placementId).at(-2)).toBe('run')
    expect(command(second.spec.placementId).at(-1)).toBe('wait')
    expect(await machine.sh(second.client, 'echo $((6 * 7))')).toBe('42')
    expect(await machine.files(`instances/${second.spec.placementId}/log`)).toContain('host.log')
    for (const { client } of [first, second]) client.close()
    for (const { spec } of [first, second]) await machine.remove(driver, spec)
    await machine.clean(driver)
  })
})
