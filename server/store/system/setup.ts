import { raiseCounterAbove } from '../counter'
import { type Db, inTx, type Tx } from '../db'

/** The installation's row, made at the first start: one, however many start at once, because they take turns at a row that exists. */
export async function ensureInstallation(db: Db, made: { id: string; at: Date }): Promise<Installation> {
  const known = await installation(db)
  if (known) return known
  return inTx(db, async (tx) => {
    await tx.changeCounter.updateMany({ where: { id: 1 }, data: { value: { increment: 0 } } })
    const first = await installation(tx)
    if (first) return first
    await tx.installation.create({ data: { id: made.id, createdAt: made.at }, select: { id: true } })
    return { id: made.id, isSetUp: false, caPem: null, createdAt: made.at }
  })
}

export type Installation = { id: string; isSetUp: boolean; caPem: string | null; createdAt: Date }

/** The installation's row; null before the first start. */
export async function installation(db: Tx): Promise<Installation | null> {
  const row = await db.installation.findFirst({
    select: { id: true, setupDone: true, caPem: true, createdAt: true },
    orderBy: { createdAt: 'asc' },
  })
  return row && { id: row.id, isSetUp: row.setupDone !== null, caPem: row.caPem, createdAt: row.createdAt }
}

/** Keeps the certificate of the installation's own authority. Its key stays in a file. */
export async function saveCa(db: Tx, caPem: string): Promise<void> {
  await db.installation.updateMany({ data: { caPem } })
}

/** Records a set-up secret by its SHA-256; older ones stop working. */
export async function putSetupSecret(
  db: Tx,
  secret: { id: string; secretHash: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.setup.updateMany({ where: { usedAt: null }, data: { usedAt: secret.createdAt } })
  await db.setup.create({ data: secret, select: { id: true } })
}

/** Closes the set-up for ever; false when it is closed. The first statement of the first account's transaction. */
export async function closeSetup(tx: Tx, at: Date): Promise<boolean> {
  const { count } = await tx.installation.updateMany({ where: { setupDone: null }, data: { setupDone: at } })
  return count > 0
}

/** Uses a set-up secret by one conditional update. */
export async function useSetupSecret(tx: Tx, used: { secretHash: string; at: Date }): Promise<boolean> {
  const { count } = await tx.setup.updateMany({
    where: { secretHash: used.secretHash, usedAt: null, expiresAt: { gt: used.at } },
    data: { usedAt: used.at },
  })
  return count > 0
}

/** Is every machine in quarantine mode, because the database was restored? Nothing of a machine is ended or started then. */
export async function isQuarantined(db: Tx): Promise<boolean> {
  return (await db.installation.count({ where: { quarantine: true } })) > 0
}

/**
 * Begins quarantine mode because a machine has seen a database with so many changes, which this one no longer has. The
 * counter goes on above them, so that this is found out once. False when it was in quarantine already.
 */
export async function beginQuarantine(db: Db, seenChanges: number): Promise<boolean> {
  return inTx(db, async (tx) => {
    await raiseCounterAbove(tx, seenChanges)
    return setQuarantine(tx, true)
  })
}

/** Begins or ends quarantine mode; false when it was so already. */
export async function setQuarantine(db: Tx, quarantine: boolean): Promise<boolean> {
  const { count } = await db.installation.updateMany({ where: { quarantine: !quarantine }, data: { quarantine } })
  return count > 0
}
