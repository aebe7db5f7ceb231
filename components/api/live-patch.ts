import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { isTerminal } from '@/domain/states'
import type { MachineView, WorkloadView } from '@/domain/views'
import { member } from './failure'

/** What the live subscription sends. `reset`: changes were missed, so everything on the page is asked again. */
export type LiveChange = {
  counter: number
  reset: boolean
  workloads: readonly WorkloadView[]
  machines: readonly MachineView[] | null
}

type Page = { rows: WorkloadView[] }
type Rows = Page | InfiniteData<Page>

/** Queries that hold what all workloads and machines decide together: asked again when one of them moved. */
const DERIVED = ['workloads.counts', 'workloads.why', 'workloads.fit']

/** The last version that each cache saw of a workload: tells a move from mere progress, which has the same version. */
const seenVersions = new WeakMap<QueryClient, Map<string, number>>()

/** Puts a change into the cache in place: rows keep their order, and only what moved renders again. */
export function applyLive(client: QueryClient, change: LiveChange): void {
  if (change.reset) {
    void client.invalidateQueries()
    return
  }
  if (change.machines) patchMachines(client, change.machines)
  if (change.workloads.length > 0) patchWorkloads(client, change.workloads)
}

/** Puts workloads that changed while one query was being read into its answer; false when it has to be asked again. */
export function catchUp(client: QueryClient, query: Query, changed: readonly WorkloadView[]): boolean {
  const path = pathOf(query)
  if (path === 'workloads.list') return patchList(client, query, changed)
  if (path === 'workloads.events') return changed.every((w) => w.id !== idOf(query))
  const own = path === 'workloads.get' ? changed.find((w) => w.id === idOf(query)) : undefined
  if (own) client.setQueryData<WorkloadView>(query.queryKey, (old) => (old && old.version < own.version ? own : old))
  return !DERIVED.includes(path)
}

function patchWorkloads(client: QueryClient, changed: readonly WorkloadView[]): void {
  const moved = movedOf(client, changed)
  const incomplete = new Set<string>()
  for (const query of queriesOf(client, 'workloads.list')) {
    if (!patchList(client, query, changed)) incomplete.add(query.queryHash)
  }
  for (const workload of changed) patchOne(client, workload)
  const isStale = (query: Query) => {
    const path = pathOf(query)
    if (path === 'workloads.list') return incomplete.has(query.queryHash)
    if (path === 'workloads.events') return moved.has(idOf(query) ?? '')
    return moved.size > 0 && DERIVED.includes(path)
  }
  void client.invalidateQueries({ predicate: isStale })
}

function movedOf(client: QueryClient, changed: readonly WorkloadView[]): Set<string> {
  const seen = seenVersions.get(client) ?? new Map<string, number>()
  seenVersions.set(client, seen)
  const moved = changed.filter((w) => (seen.get(w.id) ?? -1) < w.version)
  for (const workload of moved) seen.set(workload.id, workload.version)
  return new Set(moved.map((w) => w.id))
}

/** Patches the rows of one list; false when it may now lack a row, hold one too many, or be out of order. */
function patchList(client: QueryClient, query: Query, changed: readonly WorkloadView[]): boolean {
  const byId = new Map(changed.map((w) => [w.id, w]))
  let isComplete = true
  const rowOf = (row: WorkloadView) => {
    const next = byId.get(row.id)
    byId.delete(row.id)
    if (!next || next.version < row.version) return row
    isComplete &&= next.state === row.state && next.name === row.name
    return next
  }
  client.setQueryData<Rows>(query.queryKey, (rows) => rows && mapRows(rows, rowOf))
  return isComplete && [...byId.values()].every((unknown) => isTerminal(unknown.state))
}

function patchOne(client: QueryClient, workload: WorkloadView): void {
  for (const query of queriesOf(client, 'workloads.get')) {
    if (idOf(query) !== workload.id) continue
    client.setQueryData<WorkloadView>(query.queryKey, (old) => (old && workload.version >= old.version ? workload : old))
  }
}

/** Puts all machines as they are now into what shows them. */
export function patchMachines(client: QueryClient, machines: readonly MachineView[]): void {
  for (const query of queriesOf(client, 'machines.list')) client.setQueryData(query.queryKey, [...machines])
  for (const query of queriesOf(client, 'machines.get')) {
    const next = machines.find((m) => m.id === idOf(query))
    if (next) client.setQueryData(query.queryKey, next)
  }
}

function queriesOf(client: QueryClient, path: string): Query[] {
  return client.getQueryCache().findAll({ predicate: (q) => pathOf(q) === path && q.state.data !== undefined })
}

/** The procedure of a query: the first part of its key is the path, the second carries its input. */
function pathOf(query: Query): string {
  const path: unknown = query.queryKey[0]
  return Array.isArray(path) ? path.join('.') : ''
}

/** The id that a query asks for; null where it asks for none. */
function idOf(query: Query): string | null {
  const id = member(member(query.queryKey[1], 'input'), 'id')
  return typeof id === 'string' ? id : null
}

/** Lists come as one page or as pages loaded one by one; what did not change stays the same object. */
function mapRows(rows: Rows, rowOf: (row: WorkloadView) => WorkloadView): Rows {
  return 'pages' in rows ? { ...rows, pages: rows.pages.map((page) => mapPage(page, rowOf)) } : mapPage(rows, rowOf)
}

function mapPage(page: Page, rowOf: (row: WorkloadView) => WorkloadView): Page {
  const rows = page.rows.map(rowOf)
  return rows.some((row, i) => row !== page.rows[i]) ? { ...page, rows } : page
}
