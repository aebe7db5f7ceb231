import type { PlacementAsk } from '@/domain/funnel'
import { chooseMachine, explainWait } from '@/domain/funnel'
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
  const queue = orderQueue(queued, runningByPerson(facts))
  let machines = [...facts.candidates]
  const places = new Map<string, number>()
  return queue.flatMap((workload): Step[] => {
    // How many others wait in another tenant is not this one's business.
    const position = (places.get(workload.tenantId) ?? 0) + 1
    places.set(workload.tenantId, position)
    if (workload.nextTryAt && workload.nextTryAt > facts.now) return []
    const held = heldReason(workload, facts)
    if (held) return waitSteps(workload, held, facts.now)
    const ask = askOf(workload, facts)
    const best = chooseMachine(ask, machines)
    if (!best) return waitSteps(workload, explainWait(ask, machines, position), facts.now)
    machines = machines.map((c) => (c === best.candidate ? withPlaced(c, ask, best.fit.devices) : c))
    const { id, name } = best.candidate.machine
    return [{ kind: 'place', workload, machineId: id, reason: because('placed', { machine: name }) }]
  })
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
  const isFresh = workload.reasonAt !== null && now.getTime() - workload.reasonAt.getTime() < REASON_REFRESH_MS
  return isSame && isFresh ? [] : [{ kind: 'wait', workload, reason }]
}

/** What is stored may lack arguments that its tenant must not see. */
function isStoredAs(reason: Reason, stored: Reason): boolean {
  return stored.code === reason.code && Object.entries(stored.args).every(([name, value]) => reason.args[name] === value)
}

function runningByPerson(facts: Facts): Map<string, number> {
  const counts = new Map<string, number>()
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
