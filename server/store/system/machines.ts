import type { Inventory, Machine, MachineUse } from '@/domain/machines'
import type { Candidate } from '@/domain/placement'
import type { Db, Tx } from '../db'
import { isUniqueViolation } from '../errors'
import { json } from '../json'
import { withUse } from '../machines'
import { machineColumns, toMachine } from '../rows'
import { sampleSlot } from '../samples'

/** Every machine with what is taken on it. */
export async function candidates(db: Tx): Promise<Candidate[]> {
  const rows = await db.machine.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], select: machineColumns })
  return withUse(db, rows.map(toMachine))
}

/** One machine with what is taken on it, or null. */
export async function candidate(db: Tx, machineId: string): Promise<Candidate | null> {
  const machine = await machineById(db, machineId)
  return machine && ((await withUse(db, [machine]))[0] ?? null)
}

/** A guarded write that changes nothing but takes the machine's row, so that placements on it go one after the other. */
export async function lockMachine(tx: Tx, machineId: string): Promise<boolean> {
  const { count } = await tx.machine.updateMany({ where: { id: machineId }, data: { id: machineId } })
  return count > 0
}

/** Takes the row of a machine's connection for this transaction. False: it has one, or was heard after that moment. */
export async function lockUnheard(tx: Tx, silent: { machineId: string; before: Date }): Promise<boolean> {
  const { count } = await tx.machineContact.updateMany({
    where: {
      machineId: silent.machineId,
      controllerId: null,
      OR: [{ lastContactAt: null }, { lastContactAt: { lt: silent.before } }],
    },
    data: { controllerId: null },
  })
  return count > 0
}

/** One machine by id, whatever its tenant. */
export async function machineById(db: Tx, machineId: string): Promise<Machine | null> {
  const row = await db.machine.findUnique({ where: { id: machineId }, select: machineColumns })
  return row && toMachine(row)
}

/** Machines by id, whatever their tenant, in no order. */
export async function machinesByIds(db: Tx, ids: readonly string[]): Promise<Machine[]> {
  if (ids.length === 0) return []
  const rows = await db.machine.findMany({ where: { id: { in: [...new Set(ids)] } }, select: machineColumns })
  return rows.map(toMachine)
}

/** The machine of region `local`, made at first need for the first user; null while there is no account. */
export async function ensureLocalMachine(
  db: Db,
  local: { hostname: string; at: Date; newId: () => string },
): Promise<Machine | null> {
  const known = await db.machine.findFirst({ where: { region: 'local' }, orderBy: { createdAt: 'asc' }, select: machineColumns })
  if (known) return toMachine(known)
  const first = await db.membership.findFirst({ orderBy: { createdAt: 'asc' }, select: { tenantId: true, userId: true } })
  if (!first) return null
  const id = local.newId()
  try {
    const name = machineName(local.hostname)
    await insertMachine(db, { id, tenantId: first.tenantId, ownerId: first.userId, name, region: 'local', at: local.at })
    return machineById(db, id)
  } catch (error) {
    // Another controller made it between the look and the write.
    if (!isUniqueViolation(error)) throw error
    const made = await db.machine.findFirst({ where: { region: 'local' }, select: machineColumns })
    return made && toMachine(made)
  }
}

export type NewMachine = { id: string; tenantId: string; ownerId: string; name: string; region: string; at: Date }

/** A machine that only its owner uses, with no inventory yet. A taken name breaks the index on tenant and name. */
export async function insertMachine(db: Tx, machine: NewMachine): Promise<void> {
  const { at, ...columns } = machine
  const defaults = { sharing: 'owner', state: 'active', mountRoots: json([]), createdAt: at }
  await db.machine.create({ data: { ...columns, ...defaults, contact: { create: {} } }, select: { id: true } })
}

/** Moves a machine from one state to another; false: it was not in the first. */
export async function setMachineState(
  db: Tx,
  move: { machineId: string; from: Machine['state']; to: Machine['state'] },
): Promise<boolean> {
  const { count } = await db.machine.updateMany({ where: { id: move.machineId, state: move.from }, data: { state: move.to } })
  return count > 0
}

/** The next connection generation of a machine, taken before the connection is registered. */
export async function mintMachineGen(db: Tx, connection: { machineId: string; controllerId: string; at: Date }): Promise<number> {
  const { machineId, controllerId, at } = connection
  const row = await db.machineContact.upsert({
    where: { machineId },
    create: { machineId, machineGen: 1, controllerId, connectedAt: at, lastContactAt: at },
    update: { machineGen: { increment: 1 }, controllerId, connectedAt: at, lastContactAt: at },
    select: { machineGen: true },
  })
  return row.machineGen
}

/** Notes that a machine answered. False when a newer connection of it exists: this one must close. */
export async function touchContact(
  db: Tx,
  contact: { machineId: string; machineGen: number; bootId?: string | undefined; at: Date },
): Promise<boolean> {
  const { count } = await db.machineContact.updateMany({
    where: { machineId: contact.machineId, machineGen: contact.machineGen },
    data: { lastContactAt: contact.at, ...(contact.bootId === undefined ? {} : { bootId: contact.bootId }) },
  })
  return count > 0
}

/** Notes that a connection ended; one that was replaced by a newer changes nothing. */
export async function markDisconnected(db: Tx, ended: { machineId: string; machineGen: number }): Promise<void> {
  await db.machineContact.updateMany({
    where: { machineId: ended.machineId, machineGen: ended.machineGen },
    data: { controllerId: null },
  })
}

/** A connection as it was last heard of: whatever is heard on it next is another row. */
export type HeardConnection = { machineId: string; machineGen: number; lastContactAt: Date | null }

/** Every connection that some controller has, or had when it was killed. */
export async function heardConnections(db: Tx): Promise<HeardConnection[]> {
  const select = { machineId: true, machineGen: true, lastContactAt: true }
  return db.machineContact.findMany({ where: { controllerId: { not: null } }, select })
}

/** Forgets a connection whose controller went away without saying so. One on which something was heard since is left. */
export async function forgetConnection(db: Tx, silent: HeardConnection): Promise<void> {
  await db.machineContact.updateMany({ where: silent, data: { controllerId: null } })
}

/** Keeps a validated inventory. False when a newer connection exists. */
export async function saveInventory(
  db: Tx,
  seen: { machineId: string; machineGen: number; inventory: Inventory },
): Promise<boolean> {
  const { count } = await db.machine.updateMany({
    where: { id: seen.machineId, contact: { machineGen: seen.machineGen } },
    data: { inventory: json(seen.inventory) },
  })
  return count > 0
}

/** Puts a sample into the machine's ring, over the one of an hour ago. */
export async function addSample(db: Tx, sample: { machineId: string; use: MachineUse; at: Date }): Promise<void> {
  const { machineId, at } = sample
  const slot = sampleSlot(at)
  const body = json(sample.use)
  await db.sample.upsert({
    where: { machineId_slot: { machineId, slot } },
    create: { machineId, slot, at, body },
    update: { at, body },
    select: { slot: true },
  })
}

/** A host's short name, made to fit a machine's name. */
function machineName(hostname: string): string {
  const short = (hostname.split('.')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return short.replaceAll(/^-+|-+$/g, '').slice(0, 60) || 'this-machine'
}
