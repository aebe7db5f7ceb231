import type { SettledState, Step } from './step'

/**
 * While the installation is in quarantine, because its database was restored, its rows may be older than its machines:
 * what machines say is still taken over, but nothing is started, stopped, ended or removed until a person leaves it.
 */
export function leavesMachinesAlone(step: Step): boolean {
  return step.kind === 'settle' ? SETTLES[step.to] : ALLOWED[step.kind]
}

const ALLOWED: Record<Exclude<Step['kind'], 'settle'>, boolean> = {
  place: false,
  wait: true,
  start: false,
  freeze: false,
  end: false,
  retry: false,
  reboot: true,
  progress: true,
  exit: true,
  end_look: false,
  take_back: true,
  plan_stop: false,
  park_for: false,
}

/** `removed` and `parking` order an end. */
const SETTLES: Record<SettledState, boolean> = {
  running: true,
  paused: true,
  parking: false,
  parked: true,
  failed: true,
  lost: true,
  removed: false,
}
