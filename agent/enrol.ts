import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import tls from 'node:tls'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import { AGENTS_SERVER_NAME, type EnrolAnswer, type EnrolRequest, enrolAnswer } from '@/protocol/enrol'
import { call, type Door } from './calls'
import { certificateRequest, pem } from './certificate-request'
import { readTextFile, writeFileWhole } from './json-file'

/** A certificate of this machine that the controller takes, with its key. */
export type Identity = { machineId: string; certificate: string; ca: string; key: string }

/** The controller does not take this machine's certificate (any more), and there is no token to get another. */
export class NotEnrolled extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'NotEnrolled'
  }
}

type EnrolDeps = { folder: string; socket: string; joinToken: string | null; clock: Clock; log: Log }

const files = (folder: string) => ({
  key: join(folder, 'machine.key'),
  certificate: join(folder, 'machine.crt'),
  ca: join(folder, 'ca.crt'),
})

/** Share of a certificate's life after which it is renewed. */
const RENEW_AT = 2 / 3
const PIN_MS = 20_000

/**
 * Keeps this machine's certificate: made with a key that never leaves the state folder, renewed at two thirds of its
 * life, asked for anew with the join token only when there is none, it is over, or the authority is another one.
 */
export class Enrolment {
  readonly #deps: EnrolDeps
  #joinToken: string | null
  constructor(deps: EnrolDeps) {
    this.#deps = deps
    this.#joinToken = deps.joinToken
  }

  /** The identity to connect with now; renewed or enrolled first where that is due. `wasRefused`: the controller closed on the present one. */
  async identity(wasRefused = false): Promise<Identity> {
    const known = await this.#read()
    if (!known || !this.#isPinned(known.ca)) return this.#enrol()
    const { isOver, isDue } = this.#age(known.certificate)
    if (!isDue && !wasRefused) return known
    try {
      return await this.#renew(known)
    } catch (error) {
      if (this.#joinToken !== null && (isOver || wasRefused)) return this.#enrol()
      if (isOver || wasRefused)
        throw new NotEnrolled('the controller does not take the certificate of this machine', { cause: error })
      this.#deps.log.warn('certificate not renewed yet', { error })
      return known
    }
  }

  async #read(): Promise<Identity | null> {
    const path = files(this.#deps.folder)
    const [key, certificate, ca] = await Promise.all([
      readTextFile(path.key),
      readTextFile(path.certificate),
      readTextFile(path.ca),
    ])
    if (key === null || certificate === null || ca === null) return null
    const machineId = machineIdOf(certificate)
    return machineId === null || !new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? null
      : { machineId, certificate, ca, key }
  }

  #age(certificate: string): { isOver: boolean; isDue: boolean } {
    const { validFrom, validTo } = new X509Certificate(certificate)
    const [from, to, now] = [Date.parse(validFrom), Date.parse(validTo), this.#deps.clock.now().getTime()]
    return { isOver: now >= to, isDue: now >= from + (to - from) * RENEW_AT || now < from }
  }

  /** Is the known authority the one that the token names? Without a token the known one stands. */
  #isPinned(ca: string): boolean {
    const pin = pinOf(this.#joinToken)
    return pin === null || matchesPin(new X509Certificate(ca).raw, pin)
  }

  async #renew(known: Identity): Promise<Identity> {
    const key = createPrivateKey(known.key)
    const door = { socket: this.#deps.socket, ca: known.ca, identity: known }
    return this.#keep(await this.#ask(door, '/v1/renew', { csr: certificateRequest(key) }), { ca: known.ca, key })
  }

  async #enrol(): Promise<Identity> {
    const token = this.#joinToken
    const pin = pinOf(token)
    if (token === null || pin === null) throw new NotEnrolled('this machine has no certificate and no join token')
    const { socket, folder } = this.#deps
    const ca = await pinnedAuthority(socket, pin)
    const key = await machineKey(files(folder).key)
    const csr = certificateRequest(key)
    const request: EnrolRequest = { token, csr }
    const answer = await this.#ask({ socket, ca }, '/v1/enrol', request)
    this.#joinToken = null
    return this.#keep(answer, { ca, key })
  }

  async #ask(door: Door, path: string, body: unknown): Promise<EnrolAnswer> {
    const answer = await call(door, path, body)
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
    return enrolAnswer.parse(answer.body)
  }

  async #keep(answer: EnrolAnswer, { ca, key }: { ca: string; key: KeyObject }): Promise<Identity> {
    const { machineId, certificate } = answer
    if (!new X509Certificate(certificate).checkPrivateKey(key)) throw new Error('the certificate is for another key')
    const path = files(this.#deps.folder)
    await writeFileWhole(path.ca, ca)
    await writeFileWhole(path.certificate, certificate)
    this.#deps.log.info('machine certificate received', { machineId })
    return { machineId, certificate, ca, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }
}

/** `berth_join_… . <sha256 of the CA, hex>`; null without one. */
function pinOf(token: string | null): Buffer | null {
  const hex = /\.([0-9a-f]{64})$/.exec(token ?? '')?.[1]
  return hex === undefined ? null : Buffer.from(hex, 'hex')
}

function matchesPin(der: Uint8Array, pin: Uint8Array): boolean {
  return timingSafeEqual(createHash('sha256').update(der).digest(), pin)
}

function machineIdOf(certificate: string): string | null {
  return /urn:berth:machine:([0-9a-f-]{36})/.exec(new X509Certificate(certificate).subjectAltName ?? '')?.[1] ?? null
}

/** The key of this machine, made at first need; it is never sent anywhere. */
async function machineKey(path: string): Promise<KeyObject> {
  const known = await readTextFile(path)
  if (known !== null) return createPrivateKey(known)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFileWhole(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return privateKey
}

/**
 * Asks the server for its chain and takes the authority whose hash is the pin. Nothing is sent on this connection; on the
 * next one the server must prove itself by that authority before it sees the token.
 */
function pinnedAuthority(socket: string, pin: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = tls.connect({
      path: socket,
      servername: AGENTS_SERVER_NAME,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: false,
      timeout: PIN_MS,
    })
    connection.once('secureConnect', () => {
      const authority = topOf(connection.getPeerCertificate(true))
      connection.destroy()
      if (authority && matchesPin(authority, pin)) resolve(pem('CERTIFICATE', authority))
      else reject(new Error('the controller is not the one that the join token names'))
    })
    connection.once('timeout', () => connection.destroy(new Error('the controller does not answer')))
    connection.on('error', reject)
    connection.once('close', () => reject(new Error('the controller closed the connection')))
  })
}

/** The last certificate of a chain; a chain is at most three long. */
function topOf(certificate: tls.DetailedPeerCertificate): Buffer | null {
  let top = certificate
  for (let depth = 0; depth < 3 && top.issuerCertificate && top.issuerCertificate !== top; depth++) top = top.issuerCertificate
  return top.raw ?? null
}
