import { stateLook } from '@/components/frame/state-look'
import { durationText } from '@/components/ui/duration'
import { sentence } from '@/components/ui/sentence'
import type { Tone } from '@/components/ui/tone'
import { progressText, reasonSentence, whatDiffers } from '@/components/workloads/words'
import { LIMITS } from '@/domain/limits'
import { reasonText } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'

type FactWords = { value: string; detail: string; tone: Tone }
export type Facts = { state: FactWords; process: FactWords; reach: FactWords }

/** The three facts about a workload, each from its own source and never merged into one word. Pure. */
export function factsOf(workload: WorkloadView, nowMs: number): Facts {
  return { state: stateFact(workload, nowMs), process: processFact(workload), reach: reachFact(workload, nowMs) }
}

function stateFact(workload: WorkloadView, nowMs: number): FactWords {
  const { state, reason, progress, workloadGen } = workload
  const look = stateLook({ state, reason: null })
  const fact = (detail: string, tone: Tone = 'ink') => ({ value: look.word, detail, tone })
  if (state === 'running' || state === 'paused')
    return fact(`for ${sinceText(workload.stateSince, nowMs)}, generation ${workloadGen}`)
  if (progress && look.isMoving) return fact(progressText(progress))
  const text = reason ? reasonText(reason) : ''
  if (state === 'queued') return fact(text.replace(/^waiting:? /, ''))
  if (state === 'parked') return fact(text.replace(/^parked:? /, ''))
  return fact(text, look.tone === 'bad' ? 'bad' : 'ink')
}

const PROCESS_WORDS: Record<State, { value: string; detail: string }> = {
  queued: { value: 'None yet', detail: 'starts once it is placed' },
  provisioning: { value: 'None yet', detail: 'starts once it is created' },
  running: { value: 'Up', detail: 'no exit code' },
  paused: { value: 'Frozen', detail: 'kept in memory' },
  parking: { value: 'Stopping', detail: 'its workspace is kept' },
  parked: { value: 'None', detail: 'a new one starts with Resume' },
  removing: { value: 'Ending', detail: 'with everything of it' },
  failed: { value: 'None', detail: 'it did not start, or broke' },
  lost: { value: 'Unknown', detail: 'its machine does not have it' },
  removed: { value: 'None', detail: 'nothing of it is left' },
  canceled: { value: 'None', detail: 'it was never placed' },
}

/** A process that ended does not end its workload: the exit code stands beside the state. */
function processFact({ state, exitCode }: WorkloadView): FactWords {
  if (exitCode === null) return { ...PROCESS_WORDS[state], tone: 'ink' }
  return { value: 'Ended', detail: `exit code ${exitCode}`, tone: exitCode === 0 ? 'ink' : 'bad' }
}

function reachFact({ state, reach, reasonAt }: WorkloadView, nowMs: number): FactWords {
  if (reach === null) {
    if (state !== 'queued') return { value: 'No machine', detail: '', tone: 'ink' }
    return { value: 'No machine yet', ...checkedText(reasonAt, nowMs) }
  }
  const { machineName, lastContactAt, isConnected } = reach
  const ago = lastContactAt ? sinceText(lastContactAt, nowMs) : null
  if (isConnected) return { value: 'Reachable', detail: ago ? `${machineName} answered ${ago} ago` : machineName, tone: 'ink' }
  return {
    value: 'Silent',
    detail: ago ? `${machineName} for ${ago}; nothing is stopped` : `${machineName} was never heard of`,
    tone: 'warn',
  }
}

/** The reason of a wait comes from the last pass; an old one is said to be old. */
function checkedText(at: Date | null, nowMs: number): { detail: string; tone: Tone } {
  if (at === null) return { detail: 'not looked at yet', tone: 'ink' }
  const isStale = nowMs - at.getTime() > LIMITS.reasonStaleSeconds * 1000
  const ago = sinceText(at, nowMs)
  return isStale ? { detail: `not checked for ${ago}`, tone: 'warn' } : { detail: `checked ${ago} ago`, tone: 'ink' }
}

function sinceText(at: Date, nowMs: number): string {
  return durationText(nowMs - at.getTime())
}

/** One sentence below its state: what it waits for, how far it is, or why it is as it is. Pure. */
export function leadText(workload: WorkloadView, nowMs: number): string {
  if (workload.state === 'queued') return whatDiffers(workload, nowMs).text
  if (workload.progress && stateLook(workload).isMoving) return sentence(progressText(workload.progress))
  return workload.reason ? reasonSentence(workload.reason) : ''
}
