import { z } from 'zod'
import type { State } from './states'
import type { WorkloadSpec } from './workloads'

const gib = (bytes: number) => `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`
const plain = (n: number) => String(n)

/** What a quota can bound, for a tenant or for one person in it: its name and how a number of it reads. */
export const QUOTA_LIMITS = {
  workloads: { label: 'workloads at once', text: plain },
  gpus: { label: 'GPUs', text: plain },
  cpus: { label: 'CPUs', text: plain },
  memoryBytes: { label: 'memory', text: gib },
  diskBytes: { label: 'storage', text: gib },
} as const satisfies Record<string, { label: string; text: (n: number) => string }>
export type QuotaLimit = keyof typeof QUOTA_LIMITS
const NAMES = Object.keys(QUOTA_LIMITS) as [QuotaLimit, ...QuotaLimit[]]

/** Limits as they are stored; one that is absent does not bound. */
export const quotaLimits = z.partialRecord(z.enum(NAMES), z.int().min(0))
export type QuotaLimits = z.infer<typeof quotaLimits>
export type QuotaUse = Record<QuotaLimit, number>

/** States that take part of what runs; every other one that is not over takes storage alone. */
const AT_WORK: readonly State[] = ['queued', 'provisioning', 'running', 'paused', 'parking']

/** What a workload counts for in a state. Pure. */
export function quotaUse({ state, spec }: { state: State; spec: WorkloadSpec }): QuotaUse {
  const { cpus, memoryBytes, diskBytes, gpu } = spec
  if (!AT_WORK.includes(state)) return { workloads: 0, gpus: 0, cpus: 0, memoryBytes: 0, diskBytes }
  return { workloads: 1, gpus: gpu?.count ?? 0, cpus, memoryBytes, diskBytes }
}

/** The first limit that what is asked would break, with its use; null: there is room. What is not asked breaks nothing. Pure. */
export function brokenLimit(
  limits: QuotaLimits,
  counted: { used: readonly QuotaUse[]; asked: QuotaUse },
): { limit: QuotaLimit; asked: number; used: number; max: number } | null {
  for (const limit of NAMES) {
    const max = limits[limit]
    const asked = counted.asked[limit]
    const used = counted.used.reduce((sum, one) => sum + one[limit], 0)
    if (max !== undefined && asked > 0 && used + asked > max) return { limit, asked, used, max }
  }
  return null
}
