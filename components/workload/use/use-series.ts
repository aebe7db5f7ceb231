import { bytesText } from '@/components/ui/bytes'
import { LIMITS } from '@/domain/limits'
import type { InstanceUse } from '@/domain/machines'
import type { MachineView, WorkloadView } from '@/domain/views'

export type Sample = { at: Date; use: InstanceUse }
/** One small chart: what is used now in words, of how much, and the points. `seconds` and `values` have the same length. */
export type UseSeries = {
  id: 'gpu' | 'gpu-memory' | 'cpu' | 'memory'
  label: string
  now: string
  of: string
  /** 0 to 1 of what is reserved; null where there is no bound to measure by. */
  share: number | null
  max: number
  seconds: number[]
  values: (number | null)[]
}

/** Longer without a sample than this, and the line is broken: nothing is known of the time between. */
const GAP_MS = 4 * LIMITS.sampleSeconds * 1000

/** The charts of one workload, the ones that say most first: its GPUs, then CPU and memory. Oldest sample first. Pure. */
export function seriesOf(samples: readonly Sample[], workload: WorkloadView, machine: MachineView | undefined): UseSeries[] {
  const last = samples.at(-1)
  if (!last) return []
  const cpus = workload.placement?.cpus ?? workload.spec.cpus
  const memoryBytes = workload.placement?.memoryBytes ?? workload.spec.memoryBytes
  const cpu = last.use.cpu
  const memory = last.use.memoryBytes
  return [
    ...gpuSeries(samples, last, gpuNames(workload, machine)),
    {
      ...{ id: 'cpu', label: 'CPU', now: coresText(cpu), of: `of ${cpus} ${cpus === 1 ? 'core' : 'cores'}` },
      ...{ share: cpu / cpus, max: topOf(cpus, samples, (use) => use.cpu) },
      ...points(samples, (use) => use.cpu),
    },
    {
      ...{ id: 'memory', label: 'Memory', now: bytesText(memory), of: `of ${bytesText(memoryBytes)}` },
      ...{ share: memory / memoryBytes, max: topOf(memoryBytes, samples, (use) => use.memoryBytes) },
      ...points(samples, (use) => use.memoryBytes),
    },
  ]
}

type GpuNames = { label: string; memoryBytes: number | null }

function gpuNames({ placement }: WorkloadView, machine: MachineView | undefined): GpuNames {
  const devices = machine?.inventory?.devices.filter((device) => placement?.devices.includes(device.uuid)) ?? []
  const memoryBytes = devices.length > 0 ? devices.reduce((sum, device) => sum + device.memoryBytes, 0) : null
  const count = placement?.devices.length ?? 0
  const name = placement?.placedClass ?? devices[0]?.name
  return { label: [count > 1 ? `${count} GPUs` : 'GPU', ...(name ? [name] : [])].join(', '), memoryBytes }
}

function gpuSeries(samples: readonly Sample[], last: Sample, { label, memoryBytes }: GpuNames): UseSeries[] {
  if (last.use.gpus.length === 0) return []
  const use = ({ gpus }: InstanceUse) => (gpus.length === 0 ? null : gpus.reduce((sum, gpu) => sum + gpu.use, 0) / gpus.length)
  const memory = ({ gpus }: InstanceUse) => (gpus.length === 0 ? null : gpus.reduce((sum, gpu) => sum + gpu.memoryBytes, 0))
  const used = memory(last.use) ?? 0
  return [
    {
      ...{ id: 'gpu', label, now: String(Math.round((use(last.use) ?? 0) * 100)), of: '%', share: use(last.use), max: 1 },
      ...points(samples, use),
    },
    {
      ...{ id: 'gpu-memory', label: 'GPU memory', now: bytesText(used) },
      ...{ of: memoryBytes === null ? 'in use' : `of ${bytesText(memoryBytes)}` },
      ...{ share: memoryBytes === null ? null : used / memoryBytes, max: topOf(memoryBytes ?? 0, samples, memory) },
      ...points(samples, memory),
    },
  ]
}

/** The top of a chart: what is reserved, or more where more was used. */
function topOf(reserved: number, samples: readonly Sample[], pick: (use: InstanceUse) => number | null): number {
  return samples.reduce((top, { use }) => Math.max(top, pick(use) ?? 0), reserved || 1)
}

function points(samples: readonly Sample[], pick: (use: InstanceUse) => number | null): Pick<UseSeries, 'seconds' | 'values'> {
  const seconds: number[] = []
  const values: (number | null)[] = []
  let beforeMs = Number.POSITIVE_INFINITY
  for (const { at, use } of samples) {
    const atMs = at.getTime()
    if (atMs - beforeMs > GAP_MS) {
      seconds.push((beforeMs + 1) / 1000)
      values.push(null)
    }
    seconds.push(atMs / 1000)
    values.push(pick(use))
    beforeMs = atMs
  }
  return { seconds, values }
}

function coresText(cores: number): string {
  return cores < 9.95 ? cores.toFixed(1) : String(Math.round(cores))
}
