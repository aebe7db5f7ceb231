import { freeDevices } from '@/components/machines/machine-look'
import type { State } from '@/domain/states'
import type { MachineView, WorkloadView } from '@/domain/views'

const ON_THEIR_WAY: readonly State[] = ['queued', 'provisioning']

/** The sentence under the title: what runs, what is coming, what is free. Pure. */
export function summaryText(workloads: readonly WorkloadView[], machines: readonly MachineView[]): string {
  const running = workloads.filter((w) => w.state === 'running').length
  const coming = workloads.filter((w) => ON_THEIR_WAY.includes(w.state)).length
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(coming > 0 ? [`${coming} on ${coming === 1 ? 'its' : 'their'} way`] : []),
  ]
  const mine = parts.length === 0 ? 'Nothing of yours runs now.' : `${parts.join(', ')}.`
  return `${mine} ${capacityText(machines)}`.trim()
}

function capacityText(machines: readonly MachineView[]): string {
  if (machines.length === 0) return ''
  const gpus = machines.reduce((sum, m) => sum + (m.inventory?.devices.length ?? 0), 0)
  if (gpus === 0) {
    const online = machines.filter((m) => m.isConnected).length
    return `${online} of ${machines.length} ${machines.length === 1 ? 'machine' : 'machines'} can be reached.`
  }
  const free = machines.reduce((sum, m) => sum + freeDevices(m), 0)
  return `${free} ${free === 1 ? 'GPU is' : 'GPUs are'} free for you.`
}

/** What changed since midnight of the reader, the newest first: the last change of each workload. Pure. */
export function changedToday<W extends Pick<WorkloadView, 'stateSince'>>(workloads: readonly W[], midnightMs: number): W[] {
  return workloads
    .filter((w) => w.stateSince.getTime() >= midnightMs)
    .sort((a, b) => b.stateSince.getTime() - a.stateSince.getTime())
}
