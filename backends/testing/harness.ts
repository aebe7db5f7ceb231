import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import type { ObservationCode } from '@/protocol/sync'
import type { Observation, PlacedWorkload, WorkloadBackend } from '../backend'

/** What an adapter's test gives the suite: the adapter with one machine behind it that can be taken away. */
export type BackendHarness = {
  backend: WorkloadBackend
  /** A new workload placed on the machine, not started. */
  place(): Promise<PlacedWorkload>
  /** The next placement of the same workload on the same machine; the one before is released. */
  replace(w: PlacedWorkload): Promise<PlacedWorkload>
  /** A person asks for an instance that is up to be frozen, or to go on. */
  asks(w: PlacedWorkload, want: 'run' | 'pause'): Promise<void>
  hasWorkspace(workloadId: string): Promise<boolean>
  /** From now on starts of this workload end in this code. */
  breakStarts(workloadId: string, code: ObservationCode): Promise<void>
  /** Takes the connection of the machine away, and gives it back; what runs goes on. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Lets time pass for the machine; called between two looks. */
  tick(): Promise<void>
  /** A door of a running instance that gives back what it is given. */
  door: Door
  /** Longest wait for a status. */
  patienceMs: number
}

/** A signal that never aborts. */
export const never = () => new AbortController().signal
export const NO_LAUNCH = { environment: {} }

/** Names the instance of a placed workload. */
export function instanceOf(w: PlacedWorkload): Instance {
  return { workloadId: w.id, placementId: w.placement.id, workloadGen: w.placement.workloadGen }
}

/** A workload that is up. */
export async function running(h: BackendHarness): Promise<PlacedWorkload> {
  const w = await h.place()
  await h.backend.start(w, NO_LAUNCH, never())
  await until(h, w, ['running'])
  return w
}

/** Fails unless it rejects with that code. */
export async function rejects(promise: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(promise, (error: unknown) => error instanceof Error && 'code' in error && error.code === code)
}

/** Looks until one of the statuses is observed; fails with the last one when the harness loses patience. */
export async function until(
  h: BackendHarness,
  w: PlacedWorkload,
  statuses: readonly Observation['status'][],
): Promise<Observation> {
  const end = Date.now() + h.patienceMs
  for (;;) {
    const [seen] = await h.backend.observe([instanceOf(w)], never())
    if (seen && statuses.includes(seen.status)) return seen
    if (Date.now() > end)
      throw new Error(`expected ${statuses.join(' or ')}, saw ${seen?.status ?? 'nothing'} (${seen?.code ?? ''})`)
    await h.tick()
    await wait(5)
  }
}
