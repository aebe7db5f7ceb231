import 'reflect-metadata'
import { createHash, randomBytes, type X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Machine } from '@/domain/machines'
import { formatToken, isToken, TOKEN_BYTES } from '@/domain/tokens'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import { type EnrolAnswer, enrolRequest } from '@/protocol/enrol'
import { type Db, inTx } from '@/server/store/db'
import { insertCertificate, revokeCertificates, savePublicKey } from '@/server/store/system/certificates'
import { insertJoinToken, useJoinToken as takeJoinToken } from '@/server/store/system/join-tokens'
import type { Authority } from './authority'
import type { MachineIdentity } from './identity'

export type EnrolmentDeps = { db: Db; authority: Authority; clock: Clock; log: Log }

/** An answer of the agents' door: HTTP status and a body with a fixed code, never with foreign text. */
export type DoorAnswer = { status: number; body: EnrolAnswer | { code: string } }

const JOIN_TOKEN_MS = 15 * 60_000
const renewRequest = enrolRequest.omit({ token: true })

/** Makes a token with which that machine joins once, within 15 minutes: `berth_join_….<pin of the authority>`. */
export async function mintJoinToken(deps: EnrolmentDeps, machine: Machine): Promise<string> {
  const secret = formatToken('join', randomBytes(TOKEN_BYTES))
  const createdAt = deps.clock.now()
  await insertJoinToken(deps.db, {
    id: uuidv7(),
    tenantId: machine.tenantId,
    ownerId: machine.ownerId,
    machineId: machine.id,
    region: machine.region,
    secretHash: sha256(secret),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + JOIN_TOKEN_MS),
  })
  return `${secret}.${deps.authority.pin}`
}

/** `POST /v1/enrol`: a token, used here by one conditional update, for a certificate. Older certificates of the machine end. */
export async function enrol(deps: EnrolmentDeps, body: unknown): Promise<DoorAnswer> {
  const parsed = enrolRequest.safeParse(body)
  if (!parsed.success) return refusal(400, 'invalid')
  const [secret = '', pin] = parsed.data.token.split('.')
  if (!isToken('join', secret) || pin !== deps.authority.pin) return refusal(403, 'bad_token')
  const key = await requestedKey(parsed.data.csr)
  if (!key) return refusal(400, 'bad_request')
  const used = await takeJoinToken(deps.db, { hash: sha256(secret), at: deps.clock.now() })
  if (!used?.machineId) return refusal(403, 'bad_token')
  return issue(deps, { machineId: used.machineId, key, endsOlder: true })
}

/** `POST /v1/renew`: the same key, proved by the connection's certificate, for the next certificate; also when that one is over but was never revoked. */
export async function renew(deps: EnrolmentDeps, identity: MachineIdentity | null, body: unknown): Promise<DoorAnswer> {
  if (!identity) return refusal(401, 'not_enrolled')
  const parsed = renewRequest.safeParse(body)
  if (!parsed.success) return refusal(400, 'invalid')
  const key = await requestedKey(parsed.data.csr)
  if (!key || !(await isKeyOf(identity.certificate, key))) return refusal(400, 'bad_request')
  return issue(deps, { machineId: identity.machineId, key, endsOlder: false })
}

async function issue(deps: EnrolmentDeps, to: { machineId: string; key: CryptoKey; endsOlder: boolean }): Promise<DoorAnswer> {
  const { machineId, key } = to
  const { pem, serial, issuedAt, expiresAt } = await deps.authority.issueMachine(machineId, key)
  const publicKey = x509.PemConverter.encode(await rawKey(key), 'PUBLIC KEY')
  await inTx(deps.db, async (tx) => {
    await savePublicKey(tx, machineId, publicKey)
    if (to.endsOlder) await revokeCertificates(tx, machineId, issuedAt)
    await insertCertificate(tx, { serial, machineId, issuedAt, expiresAt })
  })
  deps.log.info('machine certificate issued', { machineId, serial, isFirst: to.endsOlder })
  return { status: 200, body: { machineId, certificate: pem, ca: deps.authority.pem } }
}

/** The P-256 key of a request whose own signature proves that the sender has it; null otherwise. */
async function requestedKey(csr: string): Promise<CryptoKey | null> {
  try {
    const request = new x509.Pkcs10CertificateRequest(csr)
    if (!P256.safeParse(request.publicKey.algorithm).success || !(await request.verify())) return null
    return await request.publicKey.export()
  } catch {
    return null // not a request at all
  }
}
const P256 = z.object({ name: z.literal('ECDSA'), namedCurve: z.literal('P-256') })

async function isKeyOf(certificate: X509Certificate, key: CryptoKey): Promise<boolean> {
  return certificate.publicKey.export({ type: 'spki', format: 'der' }).equals(Buffer.from(await rawKey(key)))
}

function rawKey(key: CryptoKey): Promise<ArrayBuffer> {
  return x509.cryptoProvider.get().subtle.exportKey('spki', key)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function refusal(status: number, code: string): DoorAnswer {
  return { status, body: { code } }
}
