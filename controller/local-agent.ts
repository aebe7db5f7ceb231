import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Machine } from '@/domain/machines'
import type { Log } from '@/kit/log'
import { pause } from '@/kit/loop'

export type LocalAgentDeps = {
  /** The row of this machine, made at first need; null while there is no account to own it. */
  ensureMachine: () => Promise<Machine | null>
  mintJoinToken: (machine: Machine) => Promise<string>
  /** Where the agent dials in. */
  socket: string
  /** The agent's bundle. */
  program: string
  log: Log
  timing?: Partial<typeof TIMING>
}

export type LocalAgent = {
  /** Ends the agent and waits for it; what it started goes on running. */
  close(): Promise<void>
}

const TIMING = {
  /** How soon a first account is noticed. */
  lookMs: 500,
  firstRestartMs: 250,
  lastRestartMs: 10_000,
  /** An agent that lived this long is started again without delay. */
  steadyMs: 30_000,
  closeMs: 5000,
}

/** Keeps the agent of this machine alive as a child, from the moment that somebody owns the machine. It ends with this process. */
export function keepLocalAgent(deps: LocalAgentDeps): LocalAgent {
  const closing = new AbortController()
  const timing = { ...TIMING, ...deps.timing }
  const running: { child: ChildProcess | null } = { child: null }
  const loop = keepAlive({ ...deps, timing }, running, closing.signal)
  return {
    close: async () => {
      closing.abort()
      if (running.child) await end(running.child, timing.closeMs)
      await loop
    },
  }
}

type Keeping = LocalAgentDeps & { timing: typeof TIMING }

async function keepAlive(deps: Keeping, running: { child: ChildProcess | null }, signal: AbortSignal): Promise<void> {
  const { log, timing } = deps
  let delayMs = timing.firstRestartMs
  while (!signal.aborted) {
    const startedAt = performance.now()
    const launch = await prepare(deps)
    if (!launch) {
      await pause(timing.lookMs, signal)
      continue
    }
    if (signal.aborted) return
    running.child = start(deps, launch)
    const [code, killedBy] = await exitOf(running.child)
    running.child = null
    if (signal.aborted) return
    if (performance.now() - startedAt > timing.steadyMs) delayMs = timing.firstRestartMs
    log.error('agent ended', { code, killedBy, againInMs: delayMs })
    await pause(delayMs, signal)
    delayMs = Math.min(delayMs * 2, timing.lastRestartMs)
  }
}

type Launch = { type: 'launch'; socket: string; joinToken: string }

/** A fresh token each time: it is used only when the certificate of the agent is missing or expired. */
async function prepare(deps: Keeping): Promise<Launch | null> {
  try {
    const machine = await deps.ensureMachine()
    return machine && { type: 'launch', socket: deps.socket, joinToken: await deps.mintJoinToken(machine) }
  } catch (error) {
    deps.log.warn('this machine is not ready for its agent', { error })
    return null
  }
}

function start({ program, log }: Keeping, launch: Launch): ChildProcess {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] })
  child.send(launch, (error) => {
    if (error) log.warn('agent was gone before it was told where to dial', { error })
  })
  log.info('agent started', { pid: child.pid })
  return child
}

async function exitOf(child: ChildProcess): Promise<[number | null, string | null]> {
  return new Promise((resolve) => {
    child.once('exit', (code, killedBy) => resolve([code, killedBy]))
    child.once('error', (error) => resolve([null, error.message]))
  })
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(force)
}
