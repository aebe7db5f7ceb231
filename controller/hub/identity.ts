import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '@/kit/clock'
import type { Db } from '@/server/store/db'
import { findCertificate } from '@/server/store/system/certificates'
import type { Authority } from './authority'

/** A machine that proved the key of a certificate which is in the table and not revoked. */
export type MachineIdentity = { machineId: string; serial: string; certificate: X509Certificate }

type IdentityDeps = { db: Db; authority: Authority; clock: Clock }

/**
 * Who is at the other end; null when that is not proven. Asked for every tunnel and every request: a resumed TLS session
 * presents no certificate and is still "authorized", so that only the table tells a revoked one.
 */
export async function identify(socket: TLSSocket, deps: IdentityDeps, mayBeOver = false): Promise<MachineIdentity | null> {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate || !isTrusted(socket, mayBeOver) || !deps.authority.hasSigned(certificate)) return null
  const serial = certificate.serialNumber.toUpperCase()
  const row = await findCertificate(deps.db, serial)
  if (!row || row.revokedAt !== null) return null
  if (!mayBeOver && row.expiresAt <= deps.clock.now()) return null
  return certificate.subjectAltName === `URI:urn:berth:machine:${row.machineId}`
    ? { machineId: row.machineId, serial, certificate }
    : null
}

/** Has the TLS library nothing against it, or only its age where that may be? */
function isTrusted(socket: TLSSocket, mayBeOver: boolean): boolean {
  return socket.authorized || (mayBeOver && OF_AGE.includes(String(socket.authorizationError)))
}
/** Its time is over, or the clock was set back to before it began. */
const OF_AGE = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']
