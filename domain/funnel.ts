import type { Ask, Fit, Verdict } from './filters'
import { examine, gigabytes, isVisible, passes } from './filters'
import { furthestDropped } from './furthest'
import { acceptedClasses } from './gpu-class'
import { type Holder, suggestParking, suggestParkingAndChange } from './parking'
import type { Candidate, Filter, Funnel, FunnelMachine, FunnelRow, Suggestion } from './placement'
import { FILTER_NAMES } from './placement'
import type { Reason } from './reasons'
import { because } from './reasons'
import { suggestChanges } from './suggestions'
import { waitReason } from './wait-reason'

/** What placement needs to know of a workload; see `Ask`. */
export type PlacementAsk = Ask

/** Does this machine take it? The re-check inside the transaction that places: `fit` says driver, class and devices. */
export function checkPlacement(ask: PlacementAsk, candidate: Candidate): Verdict {
  return examine(ask, candidate)
}

/** The best machine: fewest devices left over, then most free memory, then its id. */
export function chooseMachine(ask: PlacementAsk, candidates: readonly Candidate[]): { candidate: Candidate; fit: Fit } | null {
  const fits = candidates
    .filter((c) => isVisible(ask, c))
    .flatMap((candidate) => {
      const { fit } = examine(ask, candidate)
      return fit ? [{ candidate, fit }] : []
    })
  return fits.sort(better)[0] ?? null
}

/** `holders`: the person's own that are up, which could be parked. */
type Options = { queue: Funnel['queue']; holders?: readonly Holder[] }

/** The whole decision, taken or not: each filter's count, each machine's verdict, the reason, and what would help. */
export function buildFunnel(ask: PlacementAsk, candidates: readonly Candidate[], options: Options = { queue: null }): Funnel {
  const visible = candidates.filter((c) => isVisible(ask, c))
  const machines = visible.map((c) => funnelMachine(ask, c, examine(ask, c)))
  const best = chooseMachine(ask, visible)
  return {
    machines,
    rows: rowsOf(ask, machines).map((row) => ({ ...row, ...wouldPass(ask, visible, row) })),
    chosen: best && {
      machineId: best.candidate.machine.id,
      name: best.candidate.machine.name,
      driver: best.fit.driver,
      placedClass: best.fit.placedClass,
      devices: best.fit.devices,
    },
    reason: best
      ? because('fits_now', { machine: best.candidate.machine.name })
      : explainWait(ask, visible, options.queue?.position ?? 1),
    suggestions: best ? [] : suggestionsOf(ask, visible, options),
    queue: options.queue,
  }
}

/** Room that one gives back goes to whoever is first in the queue: for one behind others parking promises nothing. */
function suggestionsOf(ask: Ask, visible: readonly Candidate[], { queue, holders = [] }: Options): Suggestion[] {
  const parkable = queue === null || queue.position === 1 ? holders : []
  const ways = [...suggestChanges(ask, visible), ...suggestParking(ask, visible, parkable)]
  return ways.length > 0 ? ways : suggestParkingAndChange(ask, visible, parkable)
}

/** The exact reason of a wait alone, for each pass of the controller; `position` is 1-based. */
export function explainWait(ask: PlacementAsk, candidates: readonly Candidate[], position: number): Reason {
  const visible = candidates.filter((c) => isVisible(ask, c))
  return waitReason(ask, visible, position)
}

function better(a: { candidate: Candidate; fit: Fit }, b: { candidate: Candidate; fit: Fit }): number {
  return (
    a.fit.devicesLeft - b.fit.devicesLeft ||
    b.fit.memoryLeftBytes - a.fit.memoryLeftBytes ||
    (a.candidate.machine.id < b.candidate.machine.id ? -1 : 1)
  )
}

const CAPACITY_FILTERS: readonly Filter[] = ['gpu_class', 'devices', 'cpu', 'memory', 'disk']

/** Only trusted tenants see numbers of free capacity. */
function funnelMachine(ask: Ask, { machine }: Candidate, verdict: Verdict): FunnelMachine {
  const isHidden = ask.trust === 'untrusted' && verdict.droppedBy !== null && CAPACITY_FILTERS.includes(verdict.droppedBy)
  return {
    machineId: machine.id,
    name: machine.name,
    droppedBy: verdict.droppedBy,
    detail: isHidden ? 'no room' : verdict.detail,
  }
}

function rowsOf(ask: Ask, machines: readonly FunnelMachine[]): FunnelRow[] {
  let left = machines.length
  return FILTER_NAMES.map((filter) => {
    const dropped = machines.filter((m) => m.droppedBy === filter)
    left -= dropped.length
    return { filter, asked: ASKED[filter](ask), left, dropped: dropped.length, machines: dropped }
  })
}

/** For a filter behind the one that left nothing: how many of the machines that came furthest would pass it too. */
function wouldPass(ask: Ask, visible: readonly Candidate[], row: FunnelRow): { wouldPass?: number } {
  if (ask.trust === 'untrusted' || row.left > 0) return {}
  const furthest = furthestDropped(ask, visible)
  if (!furthest || FILTER_NAMES.indexOf(row.filter) <= FILTER_NAMES.indexOf(furthest.filter)) return {}
  return { wouldPass: furthest.last.filter((c) => passes(ask, c, row.filter)).length }
}

/** What was asked, in the words of the funnel's second column. */
const ASKED: Record<Filter, (ask: Ask) => string> = {
  region: ({ spec }) => (spec.machineId === null ? 'any' : 'one machine'),
  sharing: () => 'yours or shared',
  isolation: ({ trust }) => (trust === 'trusted' ? 'sandbox or own' : 'a virtual machine or cluster'),
  online: () => 'now',
  runtime: ({ spec }) => spec.runtime,
  gpu_class: askedClass,
  devices: ({ spec }) => (spec.gpu ? `${spec.gpu.count} on one machine` : 'none'),
  cpu: ({ spec }) => String(spec.cpus),
  memory: ({ spec }) => `${gigabytes(spec.memoryBytes)} GiB`,
  disk: ({ spec }) => `${gigabytes(spec.diskBytes)} GiB`,
  workspace: ({ pinnedMachineId }) => (pinnedMachineId === null ? 'new, not pinned' : 'where its files are'),
}

function askedClass({ spec, catalog }: Ask): string {
  if (!spec.gpu) return 'none'
  const accepted = acceptedClasses(spec.gpu, catalog)
  if (accepted === null) return 'any'
  return accepted.length === 1 ? `${accepted[0]} only` : accepted.join(', then ')
}
