import type { WorkloadView } from '@/domain/views'

type Lost = { what: 'workspace' | 'process' | 'record'; text: string; detail: string }
export type DeleteWords = {
  title: string
  description: string
  lost: readonly Lost[]
  stays: string
  confirm: string
  /** What has to be typed first, or null when nothing of value is lost. */
  typed: string | null
}

const PROCESS = { notebook: 'Running kernels', endpoint: 'Running server', session: 'Running terminal' } as const

/** What a delete says before it happens: what is lost, what stays. Pure. */
export function deleteWords(targets: readonly WorkloadView[]): DeleteWords {
  const [only] = targets
  if (targets.length === 1 && only) return forOne(only)
  const placed = targets.filter((w) => w.workloadGen > 0)
  const running = targets.filter(isAlive)
  return {
    title: `Delete ${targets.length} workloads?`,
    description: running.length > 0 ? `${running.length} of them run now. This cannot be undone.` : 'This cannot be undone.',
    lost: [
      ...(placed.length > 0
        ? [{ what: 'workspace' as const, text: count(placed.length, 'workspace'), detail: 'with all files in them' }]
        : []),
      ...(running.length > 0
        ? [
            {
              what: 'process' as const,
              text: count(running.length, 'running process', 'running processes'),
              detail: 'ended at once',
            },
          ]
        : []),
    ],
    stays: targets.some((w) => w.spec.mounts.length > 0)
      ? 'Their timelines, and the folders of the machine that they show inside.'
      : 'Their timelines.',
    confirm: `Delete ${targets.length}`,
    typed: placed.length > 0 ? `delete ${targets.length}` : null,
  }
}

function forOne(workload: WorkloadView): DeleteWords {
  if (workload.workloadGen === 0) {
    return {
      title: `Cancel ${workload.name}?`,
      description: 'It has never been placed: nothing is lost, and it leaves the queue.',
      lost: [],
      stays: 'Its timeline, and the request to copy from.',
      confirm: 'Cancel it',
      typed: null,
    }
  }
  const machine = workload.reach?.machineName ?? workload.placement?.machineName
  const lost: Lost[] = [{ what: 'workspace', text: 'Workspace', detail: machine ? `all files, on ${machine}` : 'all files' }]
  if (isAlive(workload)) lost.push({ what: 'process', text: PROCESS[workload.kind], detail: 'ended at once' })
  if (workload.kind === 'session') lost.push({ what: 'record', text: 'Record of the terminal', detail: 'everything it printed' })
  const isAway = workload.reach !== null && !workload.reach.isConnected
  return {
    title: `Delete ${workload.name}?`,
    description: `${isAlive(workload) ? 'It runs now. ' : ''}This cannot be undone.`,
    lost,
    stays: `Its timeline${foldersOf(workload)}.${isAway ? ` What is on ${machine} is destroyed when that machine is back.` : ''}`,
    confirm: 'Delete',
    typed: workload.name,
  }
}

/** What was only shown inside lies elsewhere, and somebody who deletes a workspace wants to read that it does. */
function foldersOf({ spec }: WorkloadView): string {
  return spec.mounts.length === 0 ? '' : `, and the folders of the machine: ${spec.mounts.map((m) => m.path).join(', ')}`
}

function isAlive(workload: WorkloadView): boolean {
  return ['provisioning', 'running', 'paused', 'parking'].includes(workload.state)
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
