import type { PlacementAsk } from '@/domain/funnel'
import { chooseMachine, explainWait } from '@/domain/funnel'
import { LIMITS } from '@/domain/limits'
import type { Candidate } from '@/domain/placement'
import { orderQueue, personKey } from '@/domain/queue'
import { because, type Reason } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import type { Facts } from './facts'
import type { Step } from './step'

/** How long a reason of a wait may stand before it is written again, so that a page sees that somebody looked. */
const REASON_REFRESH_MS = 20_000

/** Pure: who of the queue is placed where, and why the others wait. One that nobody can serve never blocks the one behind it. */
export function planPlacement(facts: Facts): Step[] {
  const queued = facts.workloads.map((f) => f.workload).filter((w) => w.state === 'queued')
  const queue = orderQueue(queued, sharesOf(facts))
  const positions = positionsOf(queue)
  const looked = queue.filter((w) => isDue(w, facts.now))
  const free = looked.filter((w) => heldReason(w, facts) === null)
  const first = starving(free, facts)
  const held = looked.flatMap((w) => {
    const reason = heldReason(w, facts)
    return reason ? waitSteps(w, reason, facts.now) : []
  })
  return [
    ...held,
    ...placeAll(first ? [first.workload, ...free.filter((w) => w !== first.workload)] : free, { facts, positions, first }),
  ]
}

/** Is its next try due? No pause is longer than that after the last attempt: what is later was written before the clock was set back. */
function isDue({ nextTryAt }: Workload, now: Date): boolean {
  if (nextTryAt === null || nextTryAt <= now) return true
  return nextTryAt.getTime() - now.getTime() > 2 ** LIMITS.startAttempts * 1000
}

type Placing = { facts: Facts; positions: ReadonlyMap<string, number>; first: Starving | null }

function placeAll(queue: readonly Workload[], { facts, positions, first }: Placing): Step[] {
  /** The machines as they are once all before are placed; `open` without what is kept for one that starves. */
  let [all, open] = [[...facts.candidates], [...facts.candidates]]
  const take = (machines: Candidate[], on: Candidate, taken: { ask: PlacementAsk; devices: readonly string[] }) =>
    machines.map((c) => (c.machine.id === on.machine.id ? withPlaced(c, taken.ask, taken.devices) : c))
  return queue.flatMap((workload): Step[] => {
    const ask = askOf(workload, facts)
    const best = chooseMachine(ask, open)
    if (best) {
      const taken = { ask, devices: best.fit.devices }
      all = take(all, best.candidate, taken)
      open = take(open, best.candidate, taken)
      const { id, name } = best.candidate.machine
      return [{ kind: 'place', workload, machineId: id, reason: because('placed', { machine: name }) }]
    }
    const kept = chooseMachine(ask, all)
    if (workload === first?.workload) open = take(open, first.candidate, { ask, devices: first.devices })
    const reason = kept
      ? because('waiting_reserved', { machine: kept.candidate.machine.name })
      : explainWait(ask, all, positions.get(workload.id) ?? 1)
    return waitSteps(workload, reason, facts.now)
  })
}

/** How many others wait in another tenant is not this one's business. */
function positionsOf(queue: readonly Workload[]): Map<string, number> {
  const counts = new Map<string, number>()
  return new Map(
    queue.map(({ id, tenantId }) => {
      counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
      return [id, counts.get(tenantId) ?? 1]
    }),
  )
}

type Starving = { workload: Workload; candidate: Candidate; devices: readonly string[] }

/**
 * The one that has waited longest, when that is too long, and the machine that could take it once it is empty: whatever
 * becomes free there is kept for it. One that no machine could ever take keeps nothing.
 */
function starving(queue: readonly Workload[], facts: Facts): Starving | null {
  const sinceMs = facts.now.getTime() - LIMITS.starvingMinutes * 60_000
  const waiting = queue.filter((w) => w.stateSince.getTime() <= sinceMs)
  for (const workload of waiting.toSorted((a, b) => a.stateSince.getTime() - b.stateSince.getTime())) {
    const best = chooseMachine(askOf(workload, facts), facts.candidates.map(emptied))
    if (best) return { workload, candidate: best.candidate, devices: best.fit.devices }
  }
  return null
}

/** The machine as it would be without what runs there now. */
function emptied(c: Candidate): Candidate {
  const { inventory } = c.machine
  const freed = (uuid: string) => c.use.devices.includes(uuid)
  const devices = inventory?.devices.map((d) => (freed(d.uuid) ? { ...d, state: 'free' as const } : d)) ?? []
  const diskFreeBytes = inventory ? Math.min(inventory.diskBytes, inventory.diskFreeBytes + c.use.diskBytes) : 0
  return {
    ...c,
    machine: { ...c.machine, inventory: inventory && { ...inventory, devices, diskFreeBytes } },
    use: { machineId: c.machine.id, cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [] },
  }
}

/** What placement knows of a workload. */
function askOf(workload: Workload, facts: Pick<Facts, 'trust' | 'catalog' | 'now'>): PlacementAsk {
  return {
    spec: workload.spec,
    kind: workload.kind,
    tenantId: workload.tenantId,
    ownerId: workload.ownerId,
    trust: facts.trust.get(workload.tenantId) ?? 'untrusted',
    catalog: facts.catalog,
    pinnedMachineId: workload.workspaceMachineId,
    now: facts.now,
  }
}

/** Why it is not placed anywhere, whatever has room: a second copy of a workload must never run. */
function heldReason(workload: Workload, facts: Facts): Reason | null {
  if (facts.isQuarantined) return because('waiting_quarantine', {})
  const copy = facts.orphans.find((o) => o.instance.workloadId === workload.id)
  if (!copy) return null
  const machine = facts.candidates.find((c) => c.machine.id === copy.machineId)?.machine.name ?? 'a machine'
  return because('waiting_orphan', { machine })
}

function waitSteps(workload: Workload, reason: Reason, now: Date): Step[] {
  const isSame = workload.reason !== null && isStoredAs(reason, workload.reason)
  const isFresh = workload.reasonAt !== null && Math.abs(now.getTime() - workload.reasonAt.getTime()) < REASON_REFRESH_MS
  return isSame && isFresh ? [] : [{ kind: 'wait', workload, reason }]
}

/** What is stored may lack arguments that its tenant must not see. */
function isStoredAs(reason: Reason, stored: Reason): boolean {
  return stored.code === reason.code && Object.entries(stored.args).every(([name, value]) => reason.args[name] === value)
}

/** What each used of late, and one for each that is placed now. */
function sharesOf(facts: Facts): Map<string, number> {
  const counts = new Map(facts.recentUse)
  for (const { workload } of facts.workloads) {
    if (workload.placement === null || workload.placement.releasedAt !== null) continue
    counts.set(personKey(workload), (counts.get(personKey(workload)) ?? 0) + 1)
  }
  return counts
}

/** The machine as it is once this one is placed, for the next in the queue. */
function withPlaced(c: Candidate, ask: PlacementAsk, devices: readonly string[]): Candidate {
  const { use } = c
  return {
    ...c,
    use: {
      ...use,
      cpus: use.cpus + ask.spec.cpus,
      memoryBytes: use.memoryBytes + ask.spec.memoryBytes,
      diskBytes: use.diskBytes + ask.spec.diskBytes,
      devices: [...use.devices, ...devices],
    },
  }
}
