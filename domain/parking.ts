import type { Ask } from './filters'
import { examine } from './filters'
import type { Candidate, CapacityUse, Suggestion } from './placement'
import { roomOf, suggestChanges } from './suggestions'

/** One of a person's own that is up, and the room that it gives back when it is parked. */
export type Holder = CapacityUse & { workloadId: string; name: string }

const OFFERED_MAX = 2
const TRIED_MAX = 20

/** Which of the person's own to park so that it could run: the smallest whose room is enough. Each is tried against the same filters. */
export function suggestParking(ask: Ask, candidates: readonly Candidate[], holders: readonly Holder[]): Suggestion[] {
  return freedBy(ask, { candidates, holders })
    .flatMap(({ holder, freed }) => (examine(ask, freed).fit === null ? [] : [parking(holder, freed)]))
    .slice(0, OFFERED_MAX)
}

/** For when neither a change nor the room of one is enough: both at once, the one that holds most first. */
export function suggestParkingAndChange(ask: Ask, candidates: readonly Candidate[], holders: readonly Holder[]): Suggestion[] {
  return freedBy(ask, { candidates, holders })
    .toReversed()
    .flatMap(({ holder, freed }) => {
      const both = suggestChanges(ask, [freed])[0]
      const park = parking(holder, freed)
      return both ? [{ ...park, title: `${park.title}; ${lowerFirst(both.title)}`, change: both.change }] : []
    })
    .slice(0, 1)
}

type Freed = { holder: Holder; freed: Candidate }

/** Each with its machine as it would be, the smallest first. An untrusted tenant is not told what room there is. */
function freedBy(ask: Ask, of: { candidates: readonly Candidate[]; holders: readonly Holder[] }): Freed[] {
  if (ask.trust === 'untrusted') return []
  return of.holders
    .toSorted((a, b) => a.devices.length - b.devices.length || a.cpus - b.cpus || a.memoryBytes - b.memoryBytes)
    .slice(0, TRIED_MAX)
    .flatMap((holder) => {
      const on = of.candidates.find((c) => c.machine.id === holder.machineId)
      return on ? [{ holder, freed: without(on, holder) }] : []
    })
}

/** What it asked for is free again; the files that it has stay, so that the measured free disk does not grow. */
function without({ machine, use }: Candidate, holder: Holder): Candidate {
  const isIts = (uuid: string) => holder.devices.includes(uuid)
  const { inventory } = machine
  const devices = inventory?.devices.map((d) => (isIts(d.uuid) && d.state === 'busy' ? { ...d, state: 'free' as const } : d))
  return {
    machine: { ...machine, inventory: inventory && { ...inventory, devices: devices ?? [] } },
    use: {
      machineId: use.machineId,
      cpus: Math.max(0, use.cpus - holder.cpus),
      memoryBytes: Math.max(0, use.memoryBytes - holder.memoryBytes),
      diskBytes: Math.max(0, use.diskBytes - holder.diskBytes),
      devices: use.devices.filter((uuid) => !isIts(uuid)),
    },
  }
}

function parking({ workloadId, name }: Holder, freed: Candidate): Suggestion {
  const detail = `its files are kept; ${freed.machine.name} then has ${roomOf(freed)} free`
  return { title: `Park ${name}`, detail, change: {}, park: { workloadId, name } }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
