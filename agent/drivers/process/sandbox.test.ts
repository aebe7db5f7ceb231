import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DesiredInstance } from '@/protocol/sync'
import { EgressService } from '../../egress/egress-service'
import { isAlive } from '../../host/process-table'
import { ProcessMachine } from '../../testing/process-machine'
import type { TerminalClient } from '../../testing/terminal-client'
import type { Driver } from '../driver'
import { readHost } from './host-control'
import { makeHostCopy } from './host-copy'
import { openCgroups } from './limits/open-cgroups'
import { createProcessDriver } from './process-driver'

type Escape = {
  reached: Record<string, boolean>
  refused: Record<string, number>
  descriptors: number[]
  variables: string[]
  processes: number
  capabilities: string[]
  interfaces: [number, string][]
}
const EPERM = 1
const ENOSYS = 38
const enforces = openCgroups().enforces

let machine: ProcessMachine
let driver: Driver
let egress: EgressService
const servers: Server[] = []
const children: ChildProcess[] = []
let origin: Server
let answers: Record<string, string[][]> = {}
beforeAll(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
  origin = createHttp((asked, answer) => answer.end(`origin saw ${asked.headers.host}`))
  await listen(origin, { port: 0, host: '0.0.0.0' })
  mkdirSync(machine.deps.runtimeDir, { recursive: true })
  // The machine's egress process with a resolver and a dialler of the test's: no packet leaves this machine.
  egress = new EgressService({
    stateDir: join(machine.deps.dataDir, 'egress'),
    runtimeDir: machine.deps.runtimeDir,
    // The code of today: another one would be retired for the machine's own.
    code: (await makeHostCopy(machine.deps)).hash,
    log: machine.deps.log,
    now: () => new Date(),
    idle: () => undefined,
    resolve: async (host) => answers[host]?.shift() ?? [],
    dial: () => connect({ host: '127.0.0.1', port: portOf(origin) }),
  })
  await egress.start()
})
afterAll(async () => {
  for (const o of await driver.observe(new AbortController().signal)) await machine.remove(driver, o)
  await egress.close()
  for (const server of servers) server.close()
  for (const child of children) child.kill()
  await machine.clean(driver)
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
const listen = (server: Server, where: object) => {
  servers.push(server)
  return new Promise<void>((resolve) => server.listen(where, resolve))
}
const workspace = (spec: DesiredInstance) => join(machine.deps.dataDir, 'workspaces', spec.workloadId)

async function tryToEscape(over: Partial<DesiredInstance>): Promise<Escape> {
  const canary = join(machine.root, 'canary')
  writeFileSync(canary, 'secret')
  const pathSocket = join(machine.root, `p${servers.length}.sock`)
  const abstractSocket = `berth-test-${process.pid}-${servers.length}`
  await listen(
    createServer((s) => s.end()),
    { path: pathSocket },
  )
  await listenAbstract(abstractSocket)
  const address = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((i) => i.family === 'IPv4' && !i.internal)?.address
  const asked = {
    ...{ canary, pathSocket, abstractSocket, dataDir: machine.deps.dataDir, home: '/root', port: portOf(origin) },
    ...{ address: address ?? '127.0.0.1', pid: process.pid, device: '/dev/kmsg' },
  }
  const { spec, client } = await machine.terminal(driver, over)
  copyFileSync(join(import.meta.dirname, '../../testing/escape.py'), join(workspace(spec), 'escape.py'))
  writeFileSync(join(workspace(spec), 'asked.json'), JSON.stringify(asked))
  const text = await machine.sh(client, '/usr/bin/python3 escape.py "$(cat asked.json)"', 60_000)
  client.close()
  await machine.remove(driver, spec)
  return JSON.parse(text.slice(text.indexOf('RESULT') + 6)) as Escape
}

describe('a program in the sandbox', () => {
  it('D7, D8, D9, E6: reaches nothing of the machine that the same program reaches without it', async () => {
    const outside = await tryToEscape({ driver: 'process-plain', command: ['/bin/bash', '--norc', '--noprofile'] })
    const inside = await tryToEscape({})
    expect(outside.reached).toEqual(Object.fromEntries(Object.keys(inside.reached).map((name) => [name, true])))
    expect(inside.reached).toEqual(Object.fromEntries(Object.keys(inside.reached).map((name) => [name, false])))
    expect(inside.refused).toEqual({
      ...{ keyctl: EPERM, perf_event_open: EPERM, userfaultfd: EPERM, push_input: EPERM },
      ...{ io_uring_setup: ENOSYS, window_size: 0 },
    })
    expect(outside.refused.keyctl).toBe(0)
    expect(outside.refused.push_input).not.toBe(EPERM)
    expect(inside.descriptors).toEqual([0, 1, 2])
    expect(inside.variables).toEqual([])
    expect(inside.processes).toBeLessThanOrEqual(4)
    expect(inside.capabilities).toEqual(['0000000000000000', '0000000000000000', '1'])
    expect(inside.interfaces).toEqual([[1, 'lo']])
  })

  it('D16: sees neither files nor shared memory of another sandbox', async () => {
    const [one, two] = [await machine.terminal(driver), await machine.terminal(driver)]
    await machine.sh(one.client, 'for d in /tmp /var/tmp /dev/shm /run /workspace; do echo x > $d/left-here; done; ls /tmp')
    expect(await machine.sh(two.client, 'find /tmp /var/tmp /dev/shm /run /workspace -name left-here')).toBe('')
    const seen = statSync(workspace(one.spec))
    if (process.getuid?.() === 0) expect(seen.uid).not.toBe(statSync(workspace(two.spec)).uid)
    for (const { client, spec } of [one, two]) {
      client.close()
      await machine.remove(driver, spec)
    }
  })

  it.runIf(process.getuid?.() === 0)('runs as one uid for each person, kept from one start to the next', async () => {
    const [first, other] = [await machine.terminal(driver), await machine.terminal(driver)]
    const { tenantId, ownerId } = first.spec
    const again = await machine.terminal(driver, { tenantId, ownerId })
    const uid = (spec: DesiredInstance) => statSync(workspace(spec)).uid
    expect(uid(first.spec)).toBeGreaterThanOrEqual(20_000)
    expect(uid(again.spec)).toBe(uid(first.spec))
    expect(uid(other.spec)).not.toBe(uid(first.spec))
    for (const { client, spec } of [first, other, again]) {
      client.close()
      await machine.remove(driver, spec)
    }
  })

  it('D11: leaves no process behind, however its children hid', async () => {
    const { spec, client } = await machine.terminal(driver)
    const hidden =
      '(setsid sleep 7001 &) ; nohup sleep 7002 >/dev/null 2>&1 & ( ( sleep 7003 & ) & ) ; (trap "" HUP TERM; exec sleep 7004) & until [ "$(pgrep -xc sleep)" = 4 ]; do :; done; pgrep -xc sleep'
    expect(await machine.sh(client, hidden)).toMatch(/(^|\n)4$/)
    client.close()
    const host = readHost(join(machine.deps.dataDir, 'instances', spec.placementId), machine.deps.bootId)
    await driver.stop(spec, 'park', new AbortController().signal)
    expect(sleepers()).toEqual([])
    expect(host && isAlive({ pid: host.file.hostPid, start: host.file.hostStart })).toBe(false)
    await machine.remove(driver, spec)
  })

  it('N5: keeps its workspace byte for byte when it is parked, and leaves nothing when it is removed', async () => {
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(
      client,
      'unset HISTFILE; head -c 300000 /dev/urandom > data; mkdir -p a/b; ln -s ../data a/link; chmod 000 a/b; sha256sum data',
    )
    client.close()
    const before = execFileSync('sh', ['-c', 'find . -printf "%p %m %s %l\n" | sort; sha256sum data'], {
      cwd: workspace(spec),
      encoding: 'utf8',
    })
    await driver.stop(spec, 'park', new AbortController().signal)
    await driver.forget(spec)
    expect(
      execFileSync('sh', ['-c', 'find . -printf "%p %m %s %l\n" | sort; sha256sum data'], {
        cwd: workspace(spec),
        encoding: 'utf8',
      }),
    ).toBe(before)
    await machine.remove(driver, spec)
    expect(existsSync(workspace(spec))).toBe(false)
    expect(await machine.files('workspaces')).toEqual([])
    expect(readdirSync(join(machine.deps.runtimeDir, 'i')).length).toBe(0)
  })
})

describe('limits', () => {
  it.runIf(enforces.includes('memory'))('D10: end what takes too much memory, and nothing else', async () => {
    const { spec, client } = await machine.terminal(driver, { memoryBytes: 128 * 2 ** 20 })
    const bomb = '/usr/bin/python3 -c "x = bytearray(400 * 2**20); print(len(x))"; echo code $?'
    expect(await machine.sh(client, bomb, 60_000)).toContain('code 137')
    expect(await machine.sh(client, 'echo alive')).toBe('alive')
    client.close()
    await machine.remove(driver, spec)
  })

  it('D10: stop a fork bomb', async () => {
    const { spec, client } = await machine.terminal(driver, { memoryBytes: 2 ** 30 })
    const bomb = `/usr/bin/python3 -c "
import os, time
n = 0
try:
    while n < 4000:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        n += 1
except OSError: pass
print('forks', n)
"; pkill -9 python3; echo after`
    const text = await machine.sh(client, bomb, 60_000)
    expect(Number(/forks (\d+)/.exec(text)?.[1])).toBeLessThan(2048)
    client.close()
    await machine.remove(driver, spec)
  })
})

describe('the way out', () => {
  const ask = (client: TerminalClient, address: string) =>
    machine.sh(
      client,
      `/usr/bin/python3 -c "
import urllib.request, urllib.error, sys
try: print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode())
except urllib.error.HTTPError as e: print('refused', e.code, e.headers.get('x-berth-egress'))
except Exception as e: print('failed', type(e).__name__)
" ${address}`,
    )

  it('E1, E7: leads to allowed hosts through the proxy and nowhere else', async () => {
    answers = { 'ok.example': [['93.184.216.34']], 'private.example': [['10.0.0.7']] }
    const { spec, client } = await machine.terminal(driver, { egress: { open: false, allow: ['ok.example', 'private.example'] } })
    expect(await ask(client, 'http://ok.example/')).toBe('origin saw ok.example')
    expect(await ask(client, 'http://other.example/')).toBe('refused 403 host')
    expect(await ask(client, 'http://private.example/')).toBe('refused 403 address')
    expect(await ask(client, `http://[::ffff:127.0.0.1]:${portOf(origin)}/`)).toBe('refused 403 host')
    const direct = `env -u HTTP_PROXY -u http_proxy /usr/bin/python3 -c "import socket; socket.create_connection(('93.184.216.34', 80), 3)" 2>&1 | tail -1`
    expect(await machine.sh(client, direct)).toContain('unreachable')
    expect(await machine.sh(client, 'getent hosts ok.example; echo $?')).toBe('2')
    const refused = async () =>
      (await driver.observe(new AbortController().signal)).find((o) => o.placementId === spec.placementId)?.refused
    const hosts = ['other.example', 'private.example', '::ffff:127.0.0.1']
    await expect.poll(refused).toEqual(hosts.map((host) => ({ host, count: 1 })))
    client.close()
    await machine.remove(driver, spec)
  })

  it('E5: is not fooled by a name whose answer changes', async () => {
    answers = { 'rebind.example': [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '192.168.1.1']] }
    const { spec, client } = await machine.terminal(driver, { egress: { open: true, allow: [] } })
    expect(await ask(client, 'http://rebind.example/')).toBe('origin saw rebind.example')
    expect(await ask(client, 'http://rebind.example/')).toBe('refused 403 address')
    expect(await ask(client, 'http://rebind.example/')).toBe('refused 403 address')
    client.close()
    await machine.remove(driver, spec)
  })
})

/** A listener without a path, which Node itself does not offer. */
async function listenAbstract(name: string): Promise<void> {
  const script =
    'import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.bind("\\0" + sys.argv[1])\ns.listen()\nprint("on", flush=True)\nsys.stdin.read()'
  const child = spawn('/usr/bin/python3', ['-c', script, name], { stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  await once(child.stdout, 'data')
}

/** Sleeps of these tests that still run anywhere on the machine. */
function sleepers(): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        return [execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] })]
      } catch {
        return [] // It ended while we looked.
      }
    })
    .filter((line) => /^sleep 700[1-4]/.test(line.replaceAll('\0', ' ')))
}
