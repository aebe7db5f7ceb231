import { z } from 'zod'
import { instance } from '@/domain/ids'
import type { LocalInstance } from '../driver'
import { simScript } from './sim-script'

/** `<data>/sim/<placementId>.json`: all that a simulated instance is. Times are milliseconds since the epoch. */
export const simInstance = z.strictObject({
  instance,
  script: simScript,
  bootId: z.string().max(80),
  startedAt: z.number(),
  phase: z.enum(['up', 'paused', 'stopping', 'stopped', 'removed', 'refused']),
})
export type SimInstance = z.infer<typeof simInstance>

/** When its observation changes next by itself; null when it does not. */
export function nextChangeAt({ phase, script, startedAt }: SimInstance, now: number): number | null {
  if (phase !== 'up') return null
  const running = startedAt + script.startMs
  const changes = [running, ...(script.exitAfterMs === null ? [] : [running + script.exitAfterMs])]
  return changes.find((at) => at > now) ?? null
}

/** What a driver would see of it at that moment. Pure. */
export function observeSim(sim: SimInstance, now: number, hasWorkspace: boolean): LocalInstance {
  const { script, startedAt, phase } = sim
  const isStarted = now >= startedAt + script.startMs
  const hasExited = script.exitAfterMs !== null && now >= startedAt + script.startMs + script.exitAfterMs
  const base = { ...sim.instance, subject: null, progress: null, exitCode: null, hasWorkspace }
  if (phase === 'refused') return { ...base, status: 'failed', code: 'workspace_missing' }
  if (phase !== 'up') return { ...base, status: phase, code: 'ok' }
  if (!isStarted) return { ...base, status: 'starting', code: 'ok', progress: starting(sim, now) }
  if (script.startFault !== null) return { ...base, status: 'failed', code: script.startFault }
  if (hasExited) return { ...base, status: 'running', code: 'process_ended', exitCode: script.exitCode }
  return { ...base, status: 'running', code: 'ok' }
}

function starting({ startedAt, script }: SimInstance, now: number): LocalInstance['progress'] {
  return { stage: 'starting', detail: null, done: now - startedAt, total: script.startMs, unit: 'steps' }
}
