import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { connect, createServer as createTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { EgressTalk } from '../testing/egress-talk'
import type { ToEgress } from './control-messages'
import { egressSockets } from './control-messages'
import { EgressService } from './egress-service'
import type { EgressPolicy } from './policy'

const A = 'a'.repeat(32)
const B = 'b'.repeat(32)
const PUBLIC = '93.184.216.34'
const closed: EgressPolicy = { open: false, allow: [], registries: [] }

let dir = ''
let service: EgressService
let origin: Server
let answers: string[][] = []
let dialled: string[] = []
let isIdle = false
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'eg-'))
  answers = []
  dialled = []
  isIdle = false
  origin = createServer((asked, answer) =>
    answer.end(`${asked.method} ${asked.headers.host} ${asked.url} ${asked.headers['proxy-authorization'] ?? '-'}`),
  )
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done))
  service = make()
  await service.start()
})
afterEach(async () => {
  await service.close()
  origin.close()
  rmSync(dir, { recursive: true, force: true })
})

function make(idleMs?: number): EgressService {
  return new EgressService({
    stateDir: join(dir, 's'),
    runtimeDir: dir,
    code: 'copy',
    log: createLog('egress', { level: 'error' }),
    now: () => new Date(),
    idle: () => {
      isIdle = true
    },
    ...(idleMs === undefined ? {} : { idleMs }),
    // A resolver that answers from a list and, when it is empty, with the public address.
    resolve: async (host) =>
      host === 'missing.example' ? Promise.reject(new Error('no such name')) : (answers.shift() ?? [PUBLIC]),
    // Public addresses of the tests are this machine's own server.
    dial: (addresses, port) => {
      dialled.push(`${addresses.join(',')}:${port}`)
      return connect({ host: '127.0.0.1', port: (origin.address() as AddressInfo).port })
    },
  })
}

const set = (id: string, policy: EgressPolicy): ToEgress => ({ verb: 'set', seq: 1, id, policy })

const tell = (...messages: ToEgress[]) => new EgressTalk(dir).tell(...messages)
const talk = (id: string, bytes: string, until?: string) => new EgressTalk(dir).talk(id, bytes, until)
const tunnel = (id: string, authority: string) => new EgressTalk(dir).tunnel(id, authority)
const audit = () =>
  readFileSync(join(dir, 's', 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as Record<string, unknown>)

describe('the egress process', () => {
  it('tunnels to an allowed host and carries bytes both ways', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }))
    const text = await talk(
      A,
      'CONNECT ok.example:443 HTTP/1.1\r\n\r\nGET /in HTTP/1.1\r\nHost: ok.example\r\nConnection: close\r\n\r\n',
    )
    expect(text).toContain('200 Connection established')
    expect(text).toContain('GET ok.example /in')
    expect(dialled).toEqual([`${PUBLIC}:443`])
  })

  it('E2, E3: refuses what is not allowed, however it is asked for, and dials nothing', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }))
    expect(await tunnel(A, 'other.example:443')).toContain('403 Host Not On The List Of Berth')
    expect(await tunnel(A, 'ok.example:8443')).toContain('403')
    expect(await talk(A, 'GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n')).toContain(
      '403',
    )
    expect(
      await talk(A, 'GET http://ok.example/ HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ).toContain('405')
    expect(await talk(A, 'GET /local HTTP/1.1\r\nHost: ok.example\r\nConnection: close\r\n\r\n')).toContain('400')
    expect(dialled).toEqual([])
  })

  it('counts what each was refused, by host and for so many hosts; no failures, no other names inside a stream', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example', 'missing.example'] }), set(B, closed))
    for (const name of ['Other.example.', 'other.example', 'missing.example', 'ok.example']) await tunnel(A, `${name}:443`)
    const said = async () => (await tell({ verb: 'status', seq: 2 }))[0]?.refused
    expect(await said()).toEqual([{ id: A, hosts: [{ host: 'other.example', count: 2 }] }])
    for (let n = 0; n < 110; n++) await tunnel(A, `h${n}.example:443`)
    await tunnel(A, 'other.example:443')
    const hosts = (await said())?.[0]?.hosts ?? []
    expect([hosts.length, hosts[0]]).toEqual([100, { host: 'other.example', count: 3 }])
    await tell({ verb: 'drop', seq: 3, id: A }, set(A, closed))
    expect(await said()).toEqual([])
  })

  it('E5: refuses a name as soon as one of its answers is not public', async () => {
    await tell(set(A, { ...closed, open: true }))
    for (const list of [['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']]) {
      answers = [list]
      expect(await tunnel(A, 'rebind.example:443')).toContain('403')
    }
    for (const literal of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254'])
      expect(await tunnel(A, `${literal}:80`)).toContain('403')
    expect(dialled).toEqual([])
  })

  it('E5: dials the address that it judged: a name that changes in between is not asked again', async () => {
    await tell(set(A, { ...closed, open: true }))
    answers = [[PUBLIC], ['127.0.0.1']]
    expect(await tunnel(A, 'rebind.example:443')).toContain('200')
    expect(dialled).toEqual([`${PUBLIC}:443`])
    expect(answers).toEqual([['127.0.0.1']])
    expect(await tunnel(A, 'rebind.example:443')).toContain('403')
  })

  it('says that a name does not exist, as an error of its own', async () => {
    await tell(set(A, { ...closed, open: true }))
    expect(await tunnel(A, 'missing.example:443')).toContain('502 Host Name Not Found')
  })

  it('lets a registry of the machine be private, on its own port and host only', async () => {
    await tell(set(A, { ...closed, registries: [{ host: 'mirror.corp', port: 8081 }] }))
    answers = [['10.1.2.3']]
    expect(await tunnel(A, 'mirror.corp:8081')).toContain('200')
    expect(await tunnel(A, 'mirror.corp:443')).toContain('403')
    expect(dialled).toEqual(['10.1.2.3:8081'])
  })

  it('E9: forwards plain HTTP under the name that was judged, without the proxy headers', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }))
    const text = await talk(
      A,
      'GET http://ok.example/p?q=1 HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: Basic eA==\r\nConnection: close\r\n\r\n',
    )
    expect(text).toContain('GET ok.example /p?q=1 -')
  })

  it('forwards a request body and refuses a second request to another host on the same connection', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }))
    const post = 'POST http://ok.example/ HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 3\r\n\r\nabc'
    const second = 'GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n'
    const text = await talk(A, post + second)
    expect(text).toContain('POST ok.example /')
    expect(text).toContain('403')
  })

  it('keeps instances apart: each socket has its own policy', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }), set(B, closed))
    expect(await tunnel(A, 'ok.example:443')).toContain('200')
    expect(await tunnel(B, 'ok.example:443')).toContain('403')
  })

  it('serves the policies on disk after a restart, and nothing of an instance that was dropped', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }), set(B, closed), { verb: 'drop', seq: 2, id: B })
    await service.close()
    service = make()
    await service.start()
    expect(await tunnel(A, 'ok.example:443')).toContain('200')
    await expect(tunnel(B, 'ok.example:443')).rejects.toThrow()
    const status = { seq: 9, ok: true, protocol: 1, code: 'copy', ids: [A], refused: [], heavy: [] }
    expect((await tell({ verb: 'status', seq: 9 }))[0]).toEqual(status)
  })

  it('listens for an instance once it can, when it could not at first', async () => {
    const place = egressSockets(dir, join(dir, 's')).of(A)
    mkdirSync(place)
    const policy = { ...closed, allow: ['ok.example'] }
    expect((await tell(set(A, policy)))[0]).toMatchObject({ ok: false, ids: [] })
    rmdirSync(place)
    expect((await tell(set(A, policy)))[0]).toMatchObject({ ok: true, ids: [A] })
    expect(await tunnel(A, 'ok.example:443')).toContain('200')
  })

  it('cuts no stream when the agent goes, and cuts all of an instance that is dropped', async () => {
    const echo = createTcp((socket) => socket.pipe(socket).on('error', () => socket.destroy()))
    await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done))
    const real = origin
    origin = echo
    await tell(set(A, { ...closed, open: true }))
    const socket = connect(egressSockets(dir, join(dir, 's')).of(A))
    const heard = (wanted: string) =>
      new Promise<void>((done) => {
        const listen = (chunk: Buffer) => {
          if (!chunk.includes(wanted)) return
          socket.off('data', listen)
          done()
        }
        socket.on('data', listen)
      })
    const established = heard('established')
    socket.write('CONNECT long.example:443 HTTP/1.1\r\n\r\n')
    await established
    await tell({ verb: 'status', seq: 1 })
    const echoed = heard('still here')
    socket.write('still here')
    await echoed
    const closedNow = new Promise<void>((done) => socket.on('close', () => done()))
    await tell({ verb: 'drop', seq: 2, id: A })
    await closedNow
    echo.close()
    origin = real
  })

  it('writes one line for each decision and one for each end, with the bytes', async () => {
    await tell(set(A, { ...closed, allow: ['ok.example'] }))
    await tunnel(A, 'ok.example:443')
    await tunnel(A, 'no.example:443')
    await expect
      .poll(() => audit().map((l) => [l.id, l.verb, l.host, l.port, l.decision]))
      .toEqual(
        expect.arrayContaining([
          [A, 'CONNECT', 'ok.example', 443, 'allow'],
          [A, 'CONNECT', 'no.example', 443, 'deny'],
          [A, 'CONNECT', 'ok.example', 443, 'closed'],
        ]),
      )
  })

  it('is done when nobody uses it, and not before', async () => {
    await service.close()
    service = make(20)
    await service.start()
    await expect.poll(() => isIdle).toBe(true)
    isIdle = false
    await tell(set(A, closed))
    await tell({ verb: 'end', seq: 1 })
    expect(isIdle).toBe(false)
    await tell({ verb: 'drop', seq: 1, id: A }, { verb: 'end', seq: 2 })
    expect(isIdle).toBe(true)
  })

  it('closes an agent that speaks nonsense', async () => {
    const socket = connect(egressSockets(dir, join(dir, 's')).control)
    const closed = new Promise<void>((done) => socket.on('close', () => done()))
    socket.write('{"verb":"set","id":"../../x"}\n')
    await closed
    expect((await tell({ verb: 'status', seq: 1 }))[0]?.ids).toEqual([])
  })
})
