import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, dial } from '@/agent/calls'
import { certificateRequest } from '@/agent/certificate-request'
import { Enrolment, NotEnrolled } from '@/agent/enrol'
import { formatToken } from '@/domain/tokens'
import { systemClock } from '@/kit/clock'
import { enrolAnswer } from '@/protocol/enrol'
import { TUNNEL_ALPN } from '@/protocol/version'
import { insertCertificate, revokeCertificates } from '@/server/store/system/certificates'
import { TestClock } from '@/testing/clock'
import { freshDatabase } from '@/testing/databases'
import { Authority, authorityCertificate } from './authority'
import { listenForAgents } from './listener'
import { openAuthority } from './open-authority'
import { type HubWorld, log, openHubWorld } from './testing/hub-world'

let world: HubWorld
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await freshDatabase('sqlite')
  world = await openHubWorld(made.db, { timing: { syncEveryMs: 50 } })
  drop = made.drop
})
afterAll(async () => {
  await world.close()
  await drop()
})

const HOUR_MS = 3_600_000
const newKey = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve }).privateKey
const door = () => ({ socket: world.socket, ca: world.authority.pem })
const enrolWith = (token: string, csr = certificateRequest(newKey())) => call(door(), '/v1/enrol', { token, csr })
const token = () => world.hub.mintJoinToken(world.machine)
let folders = 0
const folder = () => {
  const made = path.join(world.folder, `state-${folders++}`)
  mkdirSync(made)
  return made
}
const enrolment = (joinToken: string | null, change: { folder?: string; clock?: TestClock; socket?: string } = {}) =>
  new Enrolment({ folder: folder(), socket: world.socket, joinToken, clock: systemClock, log, ...change })

describe('a join token', () => {
  it('M1, N8: gives one certificate for that machine, whatever the request says of itself', async () => {
    const key = newKey()
    const answer = enrolAnswer.parse((await enrolWith(await token(), certificateRequest(key))).body)
    const certificate = new X509Certificate(answer.certificate)
    expect(answer.machineId).toBe(world.machine.id)
    expect(certificate.subjectAltName).toBe(`URI:urn:berth:machine:${world.machine.id}`)
    expect(certificate.checkPrivateKey(key)).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(Date.parse(certificate.validTo) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS)
  })

  it('M1: is used once, also by twenty at the same moment', async () => {
    const once = await token()
    const answers = await Promise.all(Array.from({ length: 20 }, () => enrolWith(once)))
    expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array(19).fill(403)])
  })

  it('M1: is refused when it is unknown, mistyped, or of another installation', async () => {
    const [secret, pin] = (await token()).split('.')
    const unknown = formatToken('join', new Uint8Array(32))
    for (const wrong of [`${unknown}.${pin}`, `${secret}x.${pin}`, `${secret}.${'0'.repeat(64)}`, `${secret}`, ''])
      expect(await enrolWith(wrong)).toMatchObject({ status: 403, body: { code: 'bad_token' } })
  })

  it('M1: is over after 15 minutes', async () => {
    const past = new TestClock(new Date(Date.now() - 15 * 60_000 - 1000))
    const old = await world.anotherHub({ clock: past }).mintJoinToken(world.machine)
    expect((await enrolWith(old)).status).toBe(403)
  })

  it('is not used up by a request that proves nothing', async () => {
    const good = await token()
    const lines = certificateRequest(newKey()).split('\n')
    const tampered = lines.with(1, `${lines[1]?.slice(0, 40)}AAAA${lines[1]?.slice(44)}`).join('\n')
    const swapped = swapKey(certificateRequest(newKey()), certificateRequest(newKey()))
    for (const csr of [tampered, swapped, certificateRequest(newKey('P-384')), 'nonsense'])
      expect(await enrolWith(good, csr)).toMatchObject({ status: 400 })
    expect((await enrolWith(good)).status).toBe(200)
  })
})

/** One request with the key of another: its own signature does not fit any more. */
function swapKey(csr: string, other: string): string {
  const raw = (text: string) => Buffer.from(text.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64')
  const [a, b] = [raw(csr), raw(other)]
  const at = a.indexOf(Buffer.from('03420004', 'hex')) + 4
  const from = b.indexOf(Buffer.from('03420004', 'hex')) + 4
  b.copy(a, at, from, from + 64)
  return `-----BEGIN CERTIFICATE REQUEST-----\n${a.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
}

describe('the agents’ door', () => {
  it('answers unknown paths, methods and too much with a code', async () => {
    expect(await call(door(), '/v1/other', {})).toMatchObject({ status: 404 })
    expect(await call(door(), '/v1/enrol', { token: 'x'.repeat(70_000) })).toMatchObject({ status: 413 })
    expect(await call(door(), '/v1/enrol', { other: 1 })).toMatchObject({ status: 400, body: { code: 'invalid' } })
  })

  it('knows no operation of agents yet, and says so only to machines', async () => {
    expect((await call(door(), '/v1/agent/git-credential', {})).status).toBe(401)
    const identity = await enrolment(await token()).identity()
    expect((await call({ ...door(), identity }, '/v1/agent/git-credential', {})).status).toBe(404)
  })

  it('M6: speaks TLS 1.3 alone', async () => {
    const socket = tls.connect({ path: world.socket, ca: world.authority.pem, maxVersion: 'TLSv1.2' })
    await expect(new Promise((_, reject) => socket.once('error', reject))).rejects.toThrow()
  })

  it('is a socket for this user alone, and is not taken from another controller', async () => {
    expect(statSync(world.socket).mode & 0o777).toBe(0o600)
    await expect(world.anotherHub().listen(world.socket)).rejects.toThrow('served by another controller')
  })
})

describe('the agent', () => {
  it('keeps its key for itself (0600) and enrols once', async () => {
    const state = folder()
    const first = await enrolment(await token(), { folder: state }).identity()
    expect(readdirSync(state).sort()).toEqual(['ca.crt', 'machine.crt', 'machine.key'])
    expect(statSync(path.join(state, 'machine.key')).mode & 0o777).toBe(0o600)
    const again = await enrolment(await token(), { folder: state }).identity()
    expect(again.certificate).toBe(first.certificate)
  })

  it('M6: sends its token to nobody but the controller that the token names', async () => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const impostor = new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
    const socket = path.join(world.folder, 'impostor.sock')
    const heard: string[] = []
    const listener = await listenForAgents(socket, {
      authority: impostor,
      log,
      onTunnel: (s) => s.destroy(),
      onCall: (s) => s.on('data', (data) => heard.push(String(data))),
    })
    await expect(enrolment(await token(), { socket }).identity()).rejects.toThrow('not the one that the join token names')
    await listener.close()
    expect(heard.join('')).toBe('')
  })

  it('M6: sends its token to nobody that shows the right authority and cannot prove it', async () => {
    const socket = path.join(world.folder, 'parrot.sock')
    const heard: string[] = []
    const own = await selfSigned()
    const server = tls.createServer({ key: own.key, cert: `${own.cert}\n${world.authority.pem}` }, (s) => {
      s.on('error', () => undefined)
      s.on('data', (data) => heard.push(String(data)))
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    await expect(enrolment(await token(), { socket }).identity()).rejects.toThrow()
    server.close()
    expect(heard.join('')).toBe('')
  })

  it('X29: renews at two thirds of the certificate’s life, with the same key', async () => {
    const state = folder()
    const first = await enrolment(await token(), { folder: state }).identity()
    const later = (hours: number) => new TestClock(new Date(Date.now() + hours * HOUR_MS))
    const kept = await enrolment(null, { folder: state, clock: later(15.9) }).identity()
    expect(kept.certificate).toBe(first.certificate)
    const renewed = await enrolment(null, { folder: state, clock: later(16.1) }).identity()
    expect(renewed.certificate).not.toBe(first.certificate)
    expect(renewed.key).toBe(first.key)
  })

  it('X29: gets the next certificate after a long sleep, while nobody revoked it', async () => {
    const { state, certificate } = await expired()
    await expect(
      dial({ ...door(), identity: readIdentity(state) }, TUNNEL_ALPN, AbortSignal.timeout(20_000)).then(refusedBy),
    ).resolves.toBe(true)
    expect((await enrolment(null, { folder: state }).identity()).certificate).not.toBe(certificate)
  })

  it('X31: gets another one when its clock was set back to before it was made', async () => {
    const { state, certificate } = await issuedAt(Date.now() + HOUR_MS)
    const identity = await enrolment(null, { folder: state }).identity()
    expect(identity.certificate).not.toBe(certificate)
    const socket = await dial({ ...door(), identity }, TUNNEL_ALPN, AbortSignal.timeout(20_000))
    expect(socket.authorized).toBe(true)
    socket.destroy()
  })

  it('gets none once it is revoked, and says that it is not enrolled', async () => {
    const { state } = await expired()
    await revokeCertificates(world.db, world.machine.id, new Date())
    await expect(enrolment(null, { folder: state }).identity()).rejects.toThrow(NotEnrolled)
    expect(await enrolment(await token(), { folder: state }).identity()).toMatchObject({ machineId: world.machine.id })
  })

  it('gets no certificate for another key than its own', async () => {
    const identity = await enrolment(await token()).identity()
    const answer = await call({ ...door(), identity }, '/v1/renew', { csr: certificateRequest(newKey()) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect((await call(door(), '/v1/renew', { csr: certificateRequest(newKey()) })).status).toBe(401)
  })

  it('enrols anew when the installation has another authority', async () => {
    const state = folder()
    await enrolment(await token(), { folder: state }).identity()
    const other = await freshDatabase('sqlite')
    const fresh = await openHubWorld(other.db)
    const identity = await enrolment(await fresh.hub.mintJoinToken(fresh.machine), {
      folder: state,
      socket: fresh.socket,
    }).identity()
    expect(identity.machineId).toBe(fresh.machine.id)
    await fresh.close()
    await other.drop()
  })
})

/** A state folder whose certificate was issued thirty hours ago. */
const expired = () => issuedAt(Date.now() - 30 * HOUR_MS)

async function issuedAt(ms: number) {
  const clock = new TestClock(new Date(ms))
  const past = await openAuthority({ db: world.db, keyFile: path.join(world.folder, 'keys/ca.key'), clock })
  const key = newKey()
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const publicKey = await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  const { pem, ...row } = await past.issueMachine(world.machine.id, publicKey)
  await insertCertificate(world.db, { ...row, machineId: world.machine.id })
  const state = folder()
  writeFileSync(path.join(state, 'machine.key'), key.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(path.join(state, 'machine.crt'), pem)
  writeFileSync(path.join(state, 'ca.crt'), world.authority.pem)
  return { state, certificate: pem }
}

function readIdentity(state: string) {
  const read = (name: string) => readFileSync(path.join(state, name), 'utf8')
  return { certificate: read('machine.crt'), key: read('machine.key') }
}

/** Was that tunnel closed without a word? */
function refusedBy(socket: tls.TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.resume()
    socket.once('close', () => resolve(true))
  })
}

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const authority = new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
  const { key, cert } = await authority.serverCredentials()
  return { key, cert: cert.slice(0, cert.indexOf(authority.pem)) }
}
