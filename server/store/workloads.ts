import type { Kind } from '@/domain/kinds'
import type { State } from '@/domain/states'
import { isTerminal, STATE_NAMES } from '@/domain/states'
import type { Workload, WorkloadSettings, WorkloadSpec } from '@/domain/workloads'
import type { Tx } from './db'
import type { Prisma } from './generated/sqlite/client'
import { json } from './json'
import { withPlacements } from './placements'
import { workloadColumns } from './rows'

export type NewWorkload = {
  id: string
  ownerId: string
  kind: Kind
  name: string
  label: string
  spec: WorkloadSpec
  settings: WorkloadSettings
  createdAt: Date
}

/** Inserts a queued workload, version 0, without an event: its creator's transaction adds that through transition's sibling. */
export async function insertWorkload(tx: Tx, tenantId: string, workload: NewWorkload): Promise<void> {
  const { spec, settings, ...columns } = workload
  await tx.workload.create({
    data: {
      ...columns,
      tenantId,
      spec: json(spec),
      settings: json(settings),
      liveName: liveName(tenantId, workload.ownerId, workload.name),
      state: 'queued',
      stateSince: workload.createdAt,
    },
    select: { id: true },
  })
}

/** One workload with its placement, or null. */
export async function findWorkload(tx: Tx, tenantId: string, id: string): Promise<Workload | null> {
  const row = await tx.workload.findFirst({ where: { id, tenantId }, select: workloadColumns })
  if (!row) return null
  const [workload] = await withPlacements(tx, [row])
  return workload ?? null
}

/** Several workloads by id, in no order; absent ones are left out. */
export async function findWorkloads(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Workload[]> {
  const rows = await tx.workload.findMany({ where: { id: { in: [...ids] }, tenantId }, select: workloadColumns })
  return withPlacements(tx, rows)
}

/** A guarded write that changes nothing but takes the row for this transaction, then reads it. */
export async function lockWorkload(tx: Tx, tenantId: string, id: string): Promise<Workload | null> {
  const { count } = await tx.workload.updateMany({ where: { id, tenantId }, data: { eventSeq: { increment: 0 } } })
  return count === 0 ? null : findWorkload(tx, tenantId, id)
}

/** Keeps what a person asks for from its next start on. The caller holds the row. */
export async function saveSpec(tx: Tx, tenantId: string, saved: { id: string; spec: WorkloadSpec }): Promise<void> {
  await tx.workload.updateMany({ where: { id: saved.id, tenantId }, data: { spec: json(saved.spec) } })
}

/** Which rows a person sees: null means all of the tenant; otherwise own ones and those shared with them. */
export type Visible = { userId: string } | null

export type WorkloadFilter = {
  visible: Visible
  states?: readonly State[] | undefined
  kinds?: readonly Kind[] | undefined
  text?: string | undefined
  ownerId?: string | undefined
  hasEnded?: boolean | undefined
}

/** Newest first by (createdAt, id); `cursor` is the last id of the page before. */
export async function listWorkloads(
  tx: Tx,
  tenantId: string,
  query: WorkloadFilter & { cursor?: string | undefined; limit: number },
): Promise<Workload[]> {
  const from = query.cursor ? await cursorRow(tx, tenantId, query.cursor) : null
  if (query.cursor && !from) return []
  const rows = await tx.workload.findMany({
    where: { AND: [filterOf(tenantId, query), ...(from ? [after(from)] : [])] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: query.limit,
    select: workloadColumns,
  })
  return withPlacements(tx, rows)
}

/** How many rows are in each state, ended ones included. */
export async function countByState(tx: Tx, tenantId: string, filter: WorkloadFilter): Promise<Record<State, number>> {
  const rows = await tx.workload.groupBy({
    by: ['state'],
    where: filterOf(tenantId, { ...filter, hasEnded: true }),
    _count: { _all: true },
  })
  const counts = Object.fromEntries(STATE_NAMES.map((state) => [state, 0])) as Record<State, number>
  for (const row of rows) counts[row.state as State] = row._count._all
  return counts
}

/** Rows that wait for capacity, and rows created since a moment: what create's limits look at. */
export async function countPending(tx: Tx, tenantId: string, since: Date): Promise<{ pending: number; recent: number }> {
  const pending = await tx.workload.count({ where: { tenantId, state: { in: ['queued', 'provisioning'] } } })
  const recent = await tx.workload.count({ where: { tenantId, createdAt: { gt: since } } })
  return { pending, recent }
}

/** Is this name alive for its creator? */
export async function isNameTaken(tx: Tx, tenantId: string, wanted: { ownerId: string; name: string }): Promise<boolean> {
  const live = liveName(tenantId, wanted.ownerId, wanted.name)
  return (await tx.workload.count({ where: { liveName: live } })) > 0
}

/** Renames a living workload; false when it ended meanwhile. A taken name breaks the index on `live_name`. */
export async function renameRow(
  tx: Tx,
  tenantId: string,
  renamed: { id: string; ownerId: string; name: string },
): Promise<boolean> {
  const { count } = await tx.workload.updateMany({
    where: { id: renamed.id, tenantId, liveName: { not: null } },
    data: { name: renamed.name, liveName: liveName(tenantId, renamed.ownerId, renamed.name) },
  })
  return count > 0
}

/** Remembers when a person last opened it. No change signal: nobody waits for it. */
export async function touchOpened(tx: Tx, tenantId: string, opened: { id: string; at: Date }): Promise<void> {
  await tx.workload.updateMany({ where: { id: opened.id, tenantId }, data: { lastOpenedAt: opened.at } })
}

function liveName(tenantId: string, ownerId: string, name: string): string {
  return `${tenantId}/${ownerId}/${name}`
}

function filterOf(tenantId: string, filter: WorkloadFilter): Prisma.WorkloadWhereInput {
  const states = filter.states ?? (filter.hasEnded ? undefined : STATE_NAMES.filter((state) => !isTerminal(state)))
  return {
    tenantId,
    ...(states ? { state: { in: [...states] } } : {}),
    ...(filter.kinds ? { kind: { in: [...filter.kinds] } } : {}),
    ...(filter.ownerId ? { ownerId: filter.ownerId } : {}),
    AND: [...(filter.text ? [nameOrId(filter.text)] : []), ...(filter.visible ? [visibleTo(filter.visible.userId)] : [])],
  }
}

const ID_PART = /^[0-9a-f-]{6,36}$/

/** A part of its name, or of its id: pages show the end of it, and the whole is copied. */
function nameOrId(text: string): Prisma.WorkloadWhereInput {
  const part = namePart(text)
  const byName = { name: { contains: part } }
  return ID_PART.test(part) ? { OR: [byName, { id: { contains: part } }] } : byName
}

/** A name has no other characters; a wildcard of the database's own must not match everything. */
function namePart(text: string): string {
  const lower = text.toLowerCase()
  return /^[a-z0-9-]+$/.test(lower) ? lower : 'no name has these characters'
}

function visibleTo(userId: string): Prisma.WorkloadWhereInput {
  return { OR: [{ ownerId: userId }, { shares: { some: { userKey: { in: [userId, ''] } } } }] }
}

async function cursorRow(tx: Tx, tenantId: string, id: string) {
  return tx.workload.findFirst({ where: { id, tenantId }, select: { id: true, createdAt: true } })
}

function after(row: { id: string; createdAt: Date }): Prisma.WorkloadWhereInput {
  return { OR: [{ createdAt: { lt: row.createdAt } }, { createdAt: row.createdAt, id: { lt: row.id } }] }
}
