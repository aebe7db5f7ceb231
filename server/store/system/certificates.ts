import type { Tx } from '../db'

export type Certificate = { serial: string; machineId: string; issuedAt: Date; expiresAt: Date; revokedAt: Date | null }

/** Records a certificate before it is handed out. */
export async function insertCertificate(db: Tx, certificate: Omit<Certificate, 'revokedAt'>): Promise<void> {
  await db.machineCertificate.create({ data: certificate, select: { serial: true } })
}

/** Looked up on every connection. */
export async function findCertificate(db: Tx, serial: string): Promise<Certificate | null> {
  return db.machineCertificate.findUnique({
    where: { serial },
    select: { serial: true, machineId: true, issuedAt: true, expiresAt: true, revokedAt: true },
  })
}

/** Ends every certificate of a machine. */
export async function revokeCertificates(db: Tx, machineId: string, at: Date): Promise<void> {
  await db.machineCertificate.updateMany({ where: { machineId, revokedAt: null }, data: { revokedAt: at } })
}

/** Remembers the public key (PEM) of a machine. */
export async function savePublicKey(db: Tx, machineId: string, publicKey: string): Promise<void> {
  await db.machine.updateMany({ where: { id: machineId }, data: { publicKey } })
}
