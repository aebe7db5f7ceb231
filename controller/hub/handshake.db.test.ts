import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { dial } from '@/agent/calls'
import { Enrolment, type Identity } from '@/agent/enrol'
import { systemClock } from '@/kit/clock'
import { TUNNEL_ALPN } from '@/protocol/version'
import { machineById } from '@/server/store/system/machines'
import { TestClock } from '@/testing/clock'
import { freshDatabase } from '@/testing/databases'
import { Authority, authorityCertificate } from './authority'
import { openAuthority } from './open-authority'
import { type HubWorld, log, openHubWorld } from './testing/hub-world'

const DAY_MS = 86_400_000
const ago = (days: number) => new TestClock(new Date(Date.now() - days * DAY_MS))
let world: HubWorld
let drop: () => Promise<void>
let identity: Identity
beforeAll(async () => {
  const made = await freshDatabase('sqlite')
  world = await openHubWorld(made.db, { timing: { silentMs: 600_000 } })
  drop = made.drop
  identity = await new Enrolment({ ...place('own'), joinToken: await world.hub.mintJoinToken(world.machine) }).identity()
})
afterAll(async () => {
  await world.close()
  await drop()
})
afterEach(() => vi.unstubAllEnvs())

let count = 0
function place(name: string, socket = world.socket) {
  const folder = path.join(world.folder, `${name}-${count++}`)
  mkdirSync(folder)
  return { folder, socket, clock: systemClock, log }
}
async function foreignAuthority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  return new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
}
/** The installation's own authority, as it was so many days ago. */
const authorityThen = (days: number) =>
  openAuthority({ db: world.db, keyFile: path.join(world.folder, 'keys/ca.key'), clock: ago(days) })

const BAD_SERVERS: Record<string, () => Promise<tls.TlsOptions | null>> = {
  'of another authority': async () => (await foreignAuthority()).serverCredentials(),
  'that shows the right authority behind a certificate of its own': async () => {
    const own = await foreignAuthority()
    const { key, cert } = await own.serverCredentials()
    return { key, cert: cert.replace(own.pem, world.authority.pem) }
  },
  'that is an enrolled machine': async () => ({ key: identity.key, cert: `${identity.certificate}\n${world.authority.pem}` }),
  'whose certificate is over': async () => (await authorityThen(900)).serverCredentials(),
  'that speaks TLS 1.2': async () => ({ ...(await world.authority.serverCredentials()), maxVersion: 'TLSv1.2' }),
  'that speaks no TLS': async () => null,
}

/** Listens as that server; `heard` is all that came, decrypted where it was encrypted. */
async function impostor(options: tls.TlsOptions | null) {
  const heard: Buffer[] = []
  const listen = (socket: net.Socket) => socket.on('error', () => undefined).on('data', (data) => heard.push(data))
  const alpn = { ALPNProtocols: [TUNNEL_ALPN, 'http/1.1'] }
  const server =
    options === null ? net.createServer((s) => listen(s).write('welcome')) : tls.createServer({ ...alpn, ...options }, listen)
  const socket = path.join(world.folder, `impostor-${count++}.sock`)
  await once(server.listen(socket), 'listening')
  return { socket, heard: () => Buffer.concat(heard).toString('latin1'), close: () => server.close() }
}

describe.each(['1', '0'])('with NODE_TLS_REJECT_UNAUTHORIZED=%s', (checks) => {
  it.each(Object.keys(BAD_SERVERS))('M6: a machine tells nothing to a server %s', async (name) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', checks)
    const server = await impostor((await BAD_SERVERS[name]?.()) ?? null)
    const joinToken = await world.hub.mintJoinToken(world.machine)
    await expect(new Enrolment({ ...place('new', server.socket), joinToken }).identity()).rejects.toThrow()
    const door = { socket: server.socket, ca: world.authority.pem, identity }
    await expect(dial(door, TUNNEL_ALPN, AbortSignal.timeout(20_000))).rejects.toThrow()
    expect(server.heard()).not.toContain(joinToken.slice(0, 40))
    server.close()
  })
})

const BAD_CLIENTS: Record<string, () => Promise<tls.ConnectionOptions>> = {
  'without a certificate': async () => ({}),
  'with a certificate of another authority': async () => machineOf(await foreignAuthority()),
  'with a certificate that no row knows': async () => machineOf(await authorityThen(0)),
  'with a certificate that is over': async () => machineOf(await authorityThen(2)),
  'that speaks TLS 1.2': async () => ({ cert: identity.certificate, key: identity.key, maxVersion: 'TLSv1.2' }),
}

async function machineOf(authority: Authority): Promise<tls.ConnectionOptions> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const { pem } = await authority.issueMachine(world.machine.id, keys.publicKey)
  return { cert: pem, key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----` }
}

it.each(Object.keys(BAD_CLIENTS))('M6: the hub takes no tunnel of a client %s', async (name) => {
  const before = await machineGen()
  const options = {
    path: world.socket,
    ca: world.authority.pem,
    servername: 'agents.berth.internal',
    ALPNProtocols: [TUNNEL_ALPN],
  }
  const socket = tls.connect({ ...options, ...(await BAD_CLIENTS[name]?.()) })
  await new Promise((closed) =>
    socket
      .on('error', () => undefined)
      .once('close', closed)
      .resume(),
  )
  expect(world.hub.link.isConnected(world.machine.id)).toBe(false)
  expect(await machineGen()).toBe(before)
})

it('M6: the hub takes the tunnel of a machine that it knows', async () => {
  const before = await machineGen()
  const door = { socket: world.socket, ca: world.authority.pem, identity }
  const socket = await dial(door, TUNNEL_ALPN, AbortSignal.timeout(20_000))
  await expect.poll(machineGen).toBeGreaterThan(before)
  socket.destroy()
  // It never spoke: nobody is to wait for it until it counts as silent.
  await expect.poll(async () => (await machineById(world.db, world.machine.id))?.isConnected).toBe(false)
})

const machineGen = async () => (await machineById(world.db, world.machine.id))?.machineGen ?? -1
