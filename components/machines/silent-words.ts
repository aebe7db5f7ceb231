import { durationText } from '@/components/ui/duration'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'

/** A machine that was heard of and is not now; `canGiveUp`: its owner may say that it never comes back. */
type SilentWords = { title: string; text: string; canGiveUp: boolean }

/** What is said of a silent machine; null of one that answers, or that has not joined yet. Pure. */
export function silentWords(machine: MachineView, nowMs: number): SilentWords | null {
  const { name, isConnected, lastContactAt, region } = machine
  if (isConnected || lastContactAt === null) return null
  const forMs = nowMs - lastContactAt.getTime()
  const isOwn = region === 'local'
  return {
    title: `${name} is silent for ${durationText(forMs)}`,
    text: isOwn
      ? 'Nothing is stopped: what runs there goes on. Its agent is started again by itself.'
      : 'Nothing is stopped or moved: what runs there may go on, and keeps its place until the machine answers.',
    canGiveUp: !isOwn && forMs > LIMITS.machineSilentSeconds * 1000,
  }
}

/** What giving up a machine means, before it is done; `here`: how many workloads are known to be there. Pure. */
export function givingUpPoints(name: string, here: number): string[] {
  const what = here === 0 ? 'Whatever it ran' : here === 1 ? 'The workload there' : `The ${here} workloads there`
  return [
    `${what} ${here > 1 ? 'are' : 'is'} lost, with every file that only ${name} has.`,
    'What they had reserved is given back; Recover starts one again elsewhere.',
    'Should it answer again after all, it ends its copies, and files that it still has are found again.',
  ]
}
