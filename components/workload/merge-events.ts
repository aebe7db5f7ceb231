import type { WorkloadEvent } from '@/domain/workloads'

/** What is known of a timeline: a run of entries without a hole, newest first. */
export type KnownEvents = readonly WorkloadEvent[]

/**
 * Adds a page to what is known. Entries are numbered without a gap and never change: what is known stays the same object.
 * A newer page that does not touch what is known replaces it, so that nothing between is silently left out. Pure.
 */
export function mergeEvents(known: KnownEvents, page: readonly WorkloadEvent[]): KnownEvents {
  const fresh = [...page].sort((a, b) => b.seq - a.seq)
  const [newest, oldest] = [known[0]?.seq, known.at(-1)?.seq]
  if (newest === undefined || oldest === undefined) return fresh
  const above = fresh.filter(({ seq }) => seq > newest)
  const below = fresh.filter(({ seq }) => seq < oldest)
  const isAboveApart = above.length > 0 && (above.at(-1)?.seq ?? 0) > newest + 1
  if (isAboveApart) return fresh
  const isBelowApart = below.length > 0 && (below[0]?.seq ?? 0) < oldest - 1
  if (above.length === 0 && (below.length === 0 || isBelowApart)) return known
  return [...above, ...known, ...(isBelowApart ? [] : below)]
}

/** The first entry of every timeline has this number: below it there is nothing older. */
const FIRST_SEQ = 1

/** Is there something older than what is known? Pure. */
export function hasOlder(known: KnownEvents): boolean {
  const oldest = known.at(-1)
  return oldest !== undefined && oldest.seq > FIRST_SEQ
}
