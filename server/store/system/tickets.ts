import { z } from 'zod'
import { PURPOSES, type Purpose } from '@/domain/tickets'
import type { Tx } from '../db'

export type Ticket = {
  id: string
  tenantId: string
  userId: string
  signInId: string | null
  apiTokenId: string | null
  workloadId: string
  placementId: string | null
  purpose: Purpose
  nonceHash: string | null
}

/** Records a ticket by its SHA-256. */
export async function insertTicket(
  db: Tx,
  ticket: Ticket & { secretHash: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.ticket.create({ data: ticket, select: { id: true } })
}

/**
 * Uses a ticket by one conditional update: once, in time, for one of the given purposes and with the nonce that it was
 * bound to. Null for everything else, without saying which.
 */
export async function consumeTicket(
  db: Tx,
  used: { hash: string; purposes: readonly Purpose[]; nonceHash: string | null; at: Date },
): Promise<Ticket | null> {
  const rows = await db.ticket.updateManyAndReturn({
    where: {
      secretHash: used.hash,
      usedAt: null,
      expiresAt: { gt: used.at },
      purpose: { in: [...used.purposes] },
      nonceHash: used.nonceHash,
    },
    data: { usedAt: used.at },
    select: {
      id: true,
      tenantId: true,
      userId: true,
      signInId: true,
      apiTokenId: true,
      workloadId: true,
      placementId: true,
      purpose: true,
      nonceHash: true,
    },
  })
  const row = rows[0]
  return row ? { ...row, purpose: z.enum(PURPOSES).parse(row.purpose) } : null
}

/** Forgets tickets that can never be used again. */
export async function dropOldTickets(db: Tx, before: Date): Promise<void> {
  await db.ticket.deleteMany({ where: { expiresAt: { lt: before } } })
}
