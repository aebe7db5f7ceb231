import type { Log } from '@/kit/log'
import { backoffMs, pause } from '@/kit/loop'
import { TUNNEL, TUNNEL_ALPN } from '@/protocol/version'
import { dial } from './calls'
import { type Enrolment, NotEnrolled } from './enrol'
import type { TunnelServer, TunnelTiming } from './tunnel-server'

export type TunnelDeps = {
  socket: string
  enrolment: Pick<Enrolment, 'identity'>
  server: Pick<TunnelServer, 'serve'>
  log: Log
  random?: () => number
  timing?: TunnelTiming
}

const DIAL_MS = 20_000
/** So many connections in a row that were closed without a word mean that the certificate is not taken any more. */
const REFUSALS = 2

/** Dials the controller and serves the tunnel, again and again with full jitter, until the signal aborts. */
export async function runTunnel(deps: TunnelDeps, signal: AbortSignal): Promise<void> {
  const timing = { ...TUNNEL, ...deps.timing }
  const backoff = { baseMs: timing.reconnectBaseMs, capMs: timing.reconnectCapMs }
  let tries = 0
  let refusals = 0
  while (!signal.aborted) {
    const wasRefused = refusals >= REFUSALS
    try {
      const hasSynced = await connectOnce(deps, { signal, wasRefused })
      tries = hasSynced ? 0 : tries + 1
      refusals = hasSynced || wasRefused ? 0 : refusals + 1
    } catch (error) {
      tries += 1
      if (error instanceof NotEnrolled) deps.log.error('this machine is not enrolled', { error })
      else if (!signal.aborted) deps.log.info('controller not reached', { tries, error })
    }
    await pause(backoffMs(tries, backoff, deps.random ?? Math.random), signal)
  }
}

async function connectOnce(
  deps: TunnelDeps,
  { signal, wasRefused }: { signal: AbortSignal; wasRefused: boolean },
): Promise<boolean> {
  const identity = await deps.enrolment.identity(wasRefused)
  const door = { socket: deps.socket, ca: identity.ca, identity }
  const socket = await dial(door, TUNNEL_ALPN, AbortSignal.any([signal, AbortSignal.timeout(DIAL_MS)]))
  const hasSynced = await deps.server.serve(socket, signal)
  deps.log.info('tunnel closed', { machineId: identity.machineId, hasSynced })
  return hasSynced
}
