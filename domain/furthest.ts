import { type Ask, examine } from './filters'
import { type Candidate, FILTER_NAMES, type Filter } from './placement'

/** The last filter that dropped a machine, and the machines that came so far; null when none was dropped. Pure. */
export function furthestDropped(ask: Ask, candidates: readonly Candidate[]): { filter: Filter; last: Candidate[] } | null {
  const verdicts = candidates.map((candidate) => ({ candidate, droppedBy: examine(ask, candidate).droppedBy }))
  const filter = FILTER_NAMES.findLast((name) => verdicts.some((v) => v.droppedBy === name))
  return filter === undefined ? null : { filter, last: verdicts.filter((v) => v.droppedBy === filter).map((v) => v.candidate) }
}
