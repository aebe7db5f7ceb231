import { STATE_LOOK } from '@/components/frame/state-look'
import { bytesText } from '@/components/ui/bytes'
import { durationText } from '@/components/ui/duration'
import { sentence } from '@/components/ui/sentence'
import { stopSoon } from '@/components/workload/stop-soon'
import type { Reason } from '@/domain/reasons'
import { reasonSeverity, reasonText } from '@/domain/reasons'
import type { WorkloadView } from '@/domain/views'
import type { Progress } from '@/domain/workloads'

/** What each stage of a start, park or delete does. */
export const STAGE_WORDS: Record<Progress['stage'], string> = {
  creating: 'Creating',
  environment: 'Making its environment',
  packages: 'Installing packages',
  kernel: 'Installing the kernel',
  starting: 'Starting',
  stopping: 'Stopping',
  removing: 'Removing',
}

/** The reason of a row without what its state says already: what differs comes first. Pure. */
export function whatDiffers(workload: WorkloadView, nowMs: number): { text: string; needsSomeone: boolean } {
  const { state, reason, reach, progress, exitCode } = workload
  if (reach && !reach.isConnected && STATE_LOOK[state].tone !== 'ink-3') {
    const silent =
      reach.lastContactAt === null ? 'has not been heard of' : `silent for ${durationText(nowMs - reach.lastContactAt.getTime())}`
    return { text: `${reach.machineName} ${silent}; nothing is stopped`, needsSomeone: true }
  }
  if (progress && STATE_LOOK[state].isMoving) return { text: progressText(progress), needsSomeone: false }
  if (state === 'running' && exitCode !== null)
    return { text: `Its process ended with exit code ${exitCode}`, needsSomeone: exitCode !== 0 }
  const stop = stopSoon(workload, nowMs)
  if (stop) return { text: `${stop.title}. ${stop.why}`, needsSomeone: true }
  if (state === 'running') return { text: `Up for ${durationText(nowMs - workload.stateSince.getTime())}`, needsSomeone: false }
  if (state === 'paused') return { text: 'Frozen; kept in memory', needsSomeone: false }
  if (reason === null) return { text: '', needsSomeone: false }
  return { text: shortReason(reason), needsSomeone: reasonSeverity(reason.code) === 'warn' }
}

/** "Installing packages: numpy, 12 of 40 packages" or "Building its environment, 61 of 148 MiB". Pure. */
export function progressText(progress: Progress): string {
  const stage = STAGE_WORDS[progress.stage]
  const detail = progress.detail ? `: ${progress.detail}` : ''
  const amount = progressAmount(progress)
  return `${stage}${detail}${amount ? `, ${amount}` : ''}`
}

/** How far a stage is, in its own unit; null when it counts nothing. Pure. */
export function progressAmount({ done, total, unit }: Progress): string | null {
  if (done === null || unit === null) return null
  if (unit === 'bytes') return total === null ? bytesText(done) : `${bytesText(done)} of ${bytesText(total)}`
  return total === null ? `${done} ${unit}` : `${done} of ${total} ${unit}`
}

/** A reason as a line of its own. A name that it begins with keeps its letters: `rack-1`, never `Rack-1`. Pure. */
export function reasonSentence(reason: Reason): string {
  const text = reasonText(reason)
  const { stage: _, ...names } = reason.args
  const beginsWithName = Object.values(names).some((arg) => typeof arg === 'string' && arg !== '' && text.startsWith(arg))
  return beginsWithName ? text : sentence(text)
}

/** 1st, 2nd, 3rd, 4th … */
export function ordinal(n: number): string {
  const tens = n % 100
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}

/** `waiting for 4 CPUs: 1 of 2 free` says "Waiting for CPU" in its state: here the numbers lead. */
function shortReason(reason: Reason): string {
  const { args } = reason
  if (reason.code === 'waiting_all_busy' && typeof args.position === 'number' && typeof args.devices === 'number') {
    const asked = `asked ${args.devices} ${args.devices === 1 ? 'GPU' : 'GPUs'}`
    const free = typeof args.free === 'number' ? `, ${args.free} free` : ''
    return `${ordinal(args.position)} in the queue; ${asked}${free}`
  }
  if (reason.code === 'environment_failed' && typeof args.package === 'string')
    return `${args.package}: its environment could not be built`
  const text = reasonText(reason)
  const waits = /^waiting(?: for ([^:]+))?: (.+)$/.exec(text)
  if (!waits) return reasonSentence(reason)
  const [, asked, rest = ''] = waits
  const isNumbers = reason.code === 'waiting_cpu' || reason.code === 'waiting_memory' || reason.code === 'waiting_disk'
  return sentence(isNumbers && asked ? `${rest}; asked ${asked}` : rest)
}
