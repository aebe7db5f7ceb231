import { bytesText } from '@/components/ui/bytes'
import type { WorkloadSpec } from '@/domain/workloads'

export type ChangeLine = { what: string; from: string; to: string }

/** What differs between two requests, for a person. Pure. */
export function changeLines(before: WorkloadSpec, after: WorkloadSpec): ChangeLine[] {
  const lines: ChangeLine[] = [
    { what: 'GPU', from: gpuWords(before), to: gpuWords(after) },
    { what: 'CPU', from: String(before.cpus), to: String(after.cpus) },
    { what: 'Memory', from: bytesText(before.memoryBytes), to: bytesText(after.memoryBytes) },
    { what: 'Disk', from: bytesText(before.diskBytes), to: bytesText(after.diskBytes) },
  ]
  return lines.filter((line) => line.from !== line.to)
}

function gpuWords({ gpu }: WorkloadSpec): string {
  return gpu === null ? 'none' : `${gpu.count} × ${gpu.class ?? 'any class'}`
}
