import type { Machine } from './machines'
import type { Reason } from './reasons'

/** The filters of placement, in the order in which they are applied and shown. */
export const FILTERS = {
  region: 'Region and pool',
  sharing: 'Sharing',
  isolation: 'Isolation',
  online: 'Online, taking work',
  runtime: 'Driver and runtime',
  gpu_class: 'GPU class',
  devices: 'Free GPUs',
  cpu: 'Free CPU',
  memory: 'Free memory',
  disk: 'Free disk',
  workspace: 'Workspace',
} as const
export type Filter = keyof typeof FILTERS
/** The names of the rows, in the order in which they are applied. */
export const FILTER_NAMES = Object.keys(FILTERS) as [Filter, ...Filter[]]

/** One machine in the funnel: the filter that dropped it (null: it fits), and in a few words why. */
export type FunnelMachine = { machineId: string; name: string; droppedBy: Filter | null; detail: string }
/** One filter: how many machines reached it, how many it dropped, and what was asked. */
export type FunnelRow = {
  filter: Filter
  asked: string
  left: number
  dropped: number
  machines: readonly FunnelMachine[]
  /** Behind the filter that left nothing: how many of the machines that came furthest would pass this one too. Trusted tenants only. */
  wouldPass?: number
}

/**
 * What would let it run now: a change of the request (`change` is applied to the spec by the page's button), one of the
 * person's own to park first (`park`), or both.
 */
export type Suggestion = {
  title: string
  detail: string
  change: {
    gpuCount?: number
    gpuClass?: string | null
    dropGpu?: boolean
    cpus?: number
    memoryBytes?: number
    diskBytes?: number
  }
  park?: { workloadId: string; name: string }
}

/** A full placement decision, taken or not: what the page's *Why* shows. */
export type Funnel = {
  machines: readonly FunnelMachine[]
  rows: readonly FunnelRow[]
  /** The best machine, or null when it waits. */
  chosen: { machineId: string; name: string; driver: string; placedClass: string | null; devices: readonly string[] } | null
  reason: Reason
  suggestions: readonly Suggestion[]
  /** 1-based place among waiting workloads, and how many wait. */
  queue: { position: number; length: number } | null
}

/** Capacity in use on a machine: the sum over its placements that are not released. */
export type CapacityUse = { machineId: string; cpus: number; memoryBytes: number; diskBytes: number; devices: readonly string[] }

/** A machine with what is taken on it. */
export type Candidate = { machine: Machine; use: CapacityUse }
