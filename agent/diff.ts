import type { Instance } from '@/domain/ids'
import type { Want } from '@/domain/workloads'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { HeldInstance } from './state'

/** One thing to do to one instance. Each may be done twice. */
export type Action =
  | { kind: 'start'; spec: DesiredInstance }
  | { kind: 'pause'; instance: Instance }
  | { kind: 'resume'; instance: Instance }
  | { kind: 'forget'; instance: Instance }
  | { kind: 'stop'; instance: Instance; how: StopHow }
type StopHow = 'park' | 'remove' | 'destroy'

/** What the machine has: what it accepted, and what its drivers see now. */
export type Present = { held: readonly HeldInstance[]; observed: readonly ObservedInstance[] }

/**
 * Which desired instances this machine takes over, and which it refuses: a start older than an instance of the same
 * workload that it has, and an id that it knows with another meaning. Pure.
 */
export function accept(desired: readonly DesiredInstance[], present: Present): { held: HeldInstance[]; refused: Instance[] } {
  const has = indexOf(present, desired)
  const held: HeldInstance[] = []
  const refused: Instance[] = []
  for (const spec of desired) {
    const known = has.known.get(spec.placementId)
    const isStale = known === undefined && stopOf(spec.want) === null && hasNewer(spec, has)
    if (isStale || (known && !isSame(known, spec))) refused.push(instanceOf(spec))
    else held.push(heldOf(spec, has))
  }
  return { held, refused }
}

/**
 * What to do so that the machine comes to what was ordered. `listed`: the placements that the controller listed last, or
 * null before its first word. What it does not list and never ordered to end is left alone while it may run. Pure.
 */
export function diff(listed: ReadonlySet<string> | null, present: Present): Action[] {
  const has = indexOf(present, [])
  const strays = present.observed.filter((o) => !has.held.has(o.placementId))
  return [
    ...present.held.flatMap((h) => heldActions(h, listed === null || listed.has(h.spec.placementId), has)),
    ...strays.flatMap((o) => (listed !== null && isOver(o) ? [forget(o)] : [])),
  ]
}

/** The same facts by id, so that a machine with thousands of instances is no square of them. */
type Index = {
  held: Map<string, HeldInstance>
  observed: Map<string, ObservedInstance>
  known: Map<string, Instance>
  newestGen: Map<string, number>
  /** Workloads of which some copy may run now. */
  up: Set<string>
}

function indexOf({ held, observed }: Present, desired: readonly Instance[]): Index {
  const known = [...held.map((h) => h.spec), ...observed]
  const newestGen = new Map<string, number>()
  for (const i of [...known, ...desired]) newestGen.set(i.workloadId, Math.max(i.workloadGen, newestGen.get(i.workloadId) ?? 0))
  return {
    held: new Map(held.map((h) => [h.spec.placementId, h])),
    observed: new Map(observed.map((o) => [o.placementId, o])),
    known: new Map(known.map((i) => [i.placementId, i])),
    newestGen,
    up: new Set(observed.filter((o) => !isOver(o) && o.status !== 'failed').map((o) => o.workloadId)),
  }
}

function heldActions(h: HeldInstance, isListed: boolean, has: Index): Action[] {
  const seen = has.observed.get(h.spec.placementId)
  const stop = stopOf(h.spec.want)
  if (stop !== null && !isStopped(h, seen)) return [stopAction(h.spec, stop, has)]
  if (!isListed) return seen === undefined || isOver(seen) ? [forget(h.spec)] : []
  return ORDERS[h.spec.want](h, has)
}

type Rule = (h: HeldInstance, has: Index) => Action[]
const nothing: Rule = () => []

/** What a listed instance needs that is not on its way out already. */
const ORDERS: Record<Want, Rule> = {
  run: (h, has) => (statusOf(h, has) === 'paused' ? [{ kind: 'resume', instance: instanceOf(h.spec) }] : begin(h, has)),
  pause: (h, has) => (statusOf(h, has) === 'running' ? [{ kind: 'pause', instance: instanceOf(h.spec) }] : begin(h, has)),
  park: nothing,
  remove: nothing,
  destroy: nothing,
}

/** A start, once: never again after it was taken over, never beside another copy of the workload that may run. */
function begin(h: HeldInstance, has: Index): Action[] {
  const wasBegun = h.isStarted || h.refused !== null || has.observed.has(h.spec.placementId)
  if (wasBegun || hasNewer(h.spec, has) || has.up.has(h.spec.workloadId)) return []
  return [{ kind: 'start', spec: h.spec }]
}

/** The files of a workload belong to its newest instance: removing an older one only ends that copy. */
function stopAction(spec: DesiredInstance, how: StopHow, has: Index): Action {
  return { kind: 'stop', instance: instanceOf(spec), how: how === 'remove' && hasNewer(spec, has) ? 'destroy' : how }
}

/** Has an ordered stop come to its end? An instance that no driver has is gone; only a `remove` must still look for its files. */
function isStopped(h: HeldInstance, seen: ObservedInstance | undefined): boolean {
  if (h.spec.want === 'remove') return h.isRemoved || seen?.status === 'removed'
  return seen === undefined || isOver(seen)
}

function isOver(o: ObservedInstance): boolean {
  return o.status === 'stopped' || o.status === 'removed'
}

function stopOf(want: Want): StopHow | null {
  return want === 'run' || want === 'pause' ? null : want
}

function statusOf(h: HeldInstance, has: Index): ObservedInstance['status'] | undefined {
  return has.observed.get(h.spec.placementId)?.status
}

function heldOf(spec: DesiredInstance, has: Index): HeldInstance {
  const known = has.held.get(spec.placementId)
  if (known) return { ...known, spec, isRemoved: known.isRemoved && spec.want === 'remove' }
  const isStarted = has.observed.has(spec.placementId) || spec.isAcked === true
  return { spec, isStarted, refused: null, isRemoved: false }
}

function hasNewer(i: Instance, has: Index): boolean {
  return (has.newestGen.get(i.workloadId) ?? 0) > i.workloadGen
}

function isSame(a: Instance, b: Instance): boolean {
  return a.workloadId === b.workloadId && a.workloadGen === b.workloadGen
}

function forget(i: Instance): Action {
  return { kind: 'forget', instance: instanceOf(i) }
}

function instanceOf({ workloadId, placementId, workloadGen }: Instance): Instance {
  return { workloadId, placementId, workloadGen }
}
