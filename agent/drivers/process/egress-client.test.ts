import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { egressSockets } from '../../egress/control-messages'
import { EgressService } from '../../egress/egress-service'
import { takeLock } from '../../lock'
import { ProcessMachine } from '../../testing/process-machine'
import { askEgress, dialEgress } from './egress-ask'
import { type EgressClient, openEgressClient } from './egress-client'
import { startEgress } from './egress-start'
import { makeHostCopy } from './host-copy'
import { createProcessDriver } from './process-driver'

const A = 'a'.repeat(32)
const policy = { open: false, allow: ['ok.example'], registries: [] }
let machine: ProcessMachine
let client: EgressClient
beforeEach(async () => {
  machine = await ProcessMachine.make()
  client = openEgressClient({ ...machine.deps, copy: () => makeHostCopy(machine.deps) })
})
afterEach(async () => {
  await client.drop(A)
  await machine.clean(createProcessDriver(machine.deps))
})

/** Processes of this machine's egress, by what they were started with. */
function egressPids(): number[] {
  const isOurs = (name: string) => {
    const line = commandLine(name)
    return line.includes('egress.mjs') && line.includes(machine.deps.dataDir)
  }
  return readdirSync('/proc').filter(isOurs).map(Number)
}

function commandLine(name: string): string {
  try {
    return readFileSync(`/proc/${name}/cmdline`, 'latin1')
  } catch {
    return '' // No process, or one that just ended.
  }
}

async function status() {
  const socket = await dialEgress(egressSockets(machine.deps.runtimeDir, join(machine.deps.dataDir, 'egress')).control)
  return socket ? await askEgress(socket, { verb: 'status' }) : null
}

/** One that runs in this process, of the code of that name. */
function inProcess(code: string): EgressService {
  const { dataDir, runtimeDir, log } = machine.deps
  mkdirSync(runtimeDir, { recursive: true })
  const options = { stateDir: join(dataDir, 'egress'), runtimeDir, code, log, now: () => new Date() }
  const service: EgressService = new EgressService({ ...options, idle: () => void service.close() })
  return service
}

describe('the machine’s egress process', () => {
  it('is started once, whoever asks, and found again by the next agent', async () => {
    await Promise.all([client.set(A, policy), client.set('b'.repeat(32), policy)])
    const [pid, ...more] = egressPids()
    expect(more).toEqual([])
    const next = openEgressClient({ ...machine.deps, copy: () => makeHostCopy(machine.deps) })
    await next.drop('b'.repeat(32))
    expect(egressPids()).toEqual([pid])
    expect((await status())?.ids).toEqual([A])
  })

  it('takes no socket from one that is starting at the same time, and ends once that one serves', async () => {
    const stateDir = join(machine.deps.dataDir, 'egress')
    const lock = takeLock(stateDir, machine.deps.bootId) // the first thing that one does
    await startEgress({ ...machine.deps, copy: () => makeHostCopy(machine.deps) })
    await expect.poll(() => existsSync(machine.deps.runtimeDir)).toBe(true)
    for (let n = 0; n < 200; n++) expect(await status()).toBeNull() // it has looked, and waits
    const first = inProcess('first')
    await first.start()
    await expect.poll(egressPids, { timeout: 30_000 }).toEqual([])
    expect((await status())?.code).toBe('first')
    await first.close()
    lock.release()
  })

  it('is asked again by another when it ends in the moment in which it is asked', async () => {
    mkdirSync(machine.deps.runtimeDir, { recursive: true })
    const sockets: Socket[] = []
    const ending = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', (line) => {
        if (!line.includes('"set"')) return socket.write(`{"seq":1,"ok":true,"protocol":1,"code":"x","ids":["${A}"]}\n`)
        ending.close()
        for (const each of sockets) each.destroy()
      })
    })
    const { control } = egressSockets(machine.deps.runtimeDir, join(machine.deps.dataDir, 'egress'))
    await new Promise<void>((resolve) => ending.listen(control, resolve))
    expect(await client.set(A, policy)).toContain(A)
    expect((await status())?.ids).toEqual([A])
  })

  it('comes back with its policies when it is killed', async () => {
    const path = await client.set(A, policy)
    const [pid] = egressPids()
    process.kill(pid ?? 0, 'SIGKILL')
    await expect.poll(async () => (await status().catch(() => null))?.ids).toEqual([A])
    expect(egressPids()).not.toContain(pid)
    expect((await dialEgress(path))?.destroy()).toBeDefined()
  })

  it('is started again until it runs, when it could not be started at first', async () => {
    let failures = 0
    const copy = () => (failures-- > 0 ? Promise.reject(new Error('no room')) : makeHostCopy(machine.deps))
    const own = openEgressClient({ ...machine.deps, log: createLog('agent', { level: 'silent' }), copy })
    await own.set(A, policy)
    failures = 1
    process.kill(egressPids()[0] ?? 0, 'SIGKILL')
    await expect.poll(async () => (await status().catch(() => null))?.ids).toEqual([A])
    expect(failures).toBeLessThan(1)
  })

  it('makes room for a newer one when it serves nobody, and never while it serves', async () => {
    const old = inProcess('old')
    await old.start()
    await client.set(A, policy)
    expect((await status())?.code).toBe((await makeHostCopy(machine.deps)).hash)
    writeFileSync(
      join(machine.deps.codeDir, 'egress.mjs'),
      `${readFileSync(join(machine.deps.codeDir, 'egress.mjs'), 'utf8')}\n// newer\n`,
    )
    const newer = openEgressClient({ ...machine.deps, copy: () => makeHostCopy(machine.deps) })
    const before = (await status())?.code
    await newer.set(A, policy)
    expect((await status())?.code).toBe(before)
  })
})

describe('an egress process of another build', () => {
  /** Answers every message with this. */
  async function impostor(answer: object | null): Promise<() => void> {
    const sockets: Socket[] = []
    mkdirSync(machine.deps.runtimeDir, { recursive: true })
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => (answer ? socket.write(`${JSON.stringify(answer)}\n`) : socket.destroy()))
    })
    const { control } = egressSockets(machine.deps.runtimeDir, join(machine.deps.dataDir, 'egress'))
    await new Promise<void>((resolve) => server.listen(control, resolve))
    return () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
  const policies = join('egress', 'policies')

  it.each([
    ['says less', { seq: 1, ok: true, protocol: 1 }],
    ['says more', { seq: 1, ok: true, protocol: 9, code: 'x', ids: [A], load: 3 }],
    ['says nothing of the kind', { hello: 1 }],
    ['does not answer', null],
  ])('that %s keeps nobody from stopping: the policy goes from the disk', async (_, answer) => {
    const end = await impostor(answer)
    const path = join(machine.deps.dataDir, policies)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, `${A}.json`), JSON.stringify(policy))
    await client.drop(A)
    expect(await machine.files(policies)).toEqual([])
    if (answer !== null && 'ok' in answer && answer.protocol === 1) expect(await client.set(A, policy)).toContain(A)
    else await expect(client.set(A, policy)).rejects.toThrow()
    end()
  })
})

describe('policies', () => {
  it('of what has ended go when the next agent looks, and those of what runs stay', async () => {
    await client.set(A, policy)
    await client.set('b'.repeat(32), policy)
    const next = openEgressClient({ ...machine.deps, copy: () => makeHostCopy(machine.deps) })
    await next.keep((id) => id === A)
    expect((await status())?.ids).toEqual([A])
    expect(await machine.files(join('egress', 'policies'))).toEqual([`${A}.json`])
  })

  it('of two installations that share a folder of sockets never meet', async () => {
    const other = { ...machine.deps, dataDir: join(machine.root, 'd2') }
    const second = openEgressClient({ ...other, copy: () => makeHostCopy(other) })
    await Promise.all([client.set(A, policy), second.set('b'.repeat(32), policy)])
    expect((await status())?.ids).toEqual([A])
    const control = egressSockets(other.runtimeDir, join(other.dataDir, 'egress')).control
    const ask = async (question: 'status' | 'end') => {
      const socket = await dialEgress(control)
      return socket && askEgress(socket, { verb: question })
    }
    expect((await ask('status'))?.ids).toEqual(['b'.repeat(32)])
    await second.drop('b'.repeat(32))
    await ask('end').catch(() => undefined)
    expect((await status())?.ids).toEqual([A])
  })
})

describe('the copy of the code', () => {
  it('is made once for one content, cannot be written, and goes when nothing runs from it', async () => {
    const first = await makeHostCopy(machine.deps)
    expect(await makeHostCopy(machine.deps)).toEqual(first)
    expect(readdirSync(join(machine.deps.dataDir, 'host'))).toEqual([first.hash])
    writeFileSync(join(machine.deps.codeDir, 'egress.mjs'), '// another')
    const second = await makeHostCopy(machine.deps)
    expect(second.hash).not.toBe(first.hash)
    expect(readdirSync(join(machine.deps.dataDir, 'host'))).toEqual([second.hash])
  })

  it('is whole or not at all', async () => {
    const codeDir = mkdtempSync(join(machine.root, 'broken-'))
    writeFileSync(join(codeDir, 'session-host.mjs'), '')
    await expect(makeHostCopy({ dataDir: machine.deps.dataDir, codeDir })).rejects.toThrow()
    const host = join(machine.deps.dataDir, 'host')
    expect(existsSync(host) ? readdirSync(host) : []).toEqual([])
    rmSync(codeDir, { recursive: true })
  })
})
