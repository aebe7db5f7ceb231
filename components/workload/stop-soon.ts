import { durationText } from '@/components/ui/duration'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import type { Stop } from '@/domain/workloads'

export type StopWords = { title: string; why: string; canKeep: boolean }

const WHY: Record<Stop, string> = {
  idle: 'Nothing happens inside.',
  limit: 'Its time limit ends.',
  schedule: 'Its schedule says so.',
}

/** What is said of a stop that comes by itself: only when it is near; the workspace is always kept. Pure. */
export function stopSoon(
  { state, stopAt, stopWhy, lastBusyAt }: Pick<WorkloadView, 'state' | 'stopAt' | 'stopWhy' | 'lastBusyAt'>,
  nowMs: number,
): StopWords | null {
  if (stopAt === null || stopWhy === null || (state !== 'running' && state !== 'paused')) return null
  const leftMs = stopAt.getTime() - nowMs
  if (leftMs > LIMITS.idleWarnMinutes * 60_000) return null
  const idle =
    stopWhy === 'idle' && lastBusyAt ? `Nothing happened inside for ${durationText(nowMs - lastBusyAt.getTime())}.` : null
  return {
    title: leftMs <= 0 ? 'Parks now' : `Parks in ${durationText(leftMs)}`,
    why: `${idle ?? WHY[stopWhy]} Its workspace is kept.`,
    canKeep: stopWhy === 'idle',
  }
}
