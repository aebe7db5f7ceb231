import { type ChildProcess, fork } from 'node:child_process'
import type { Log } from '@/kit/log'
import { pause } from '@/kit/loop'

const BACKOFF_MS = { first: 250, last: 10_000 }
/** A controller that lived this long starts over with the first delay. */
const STEADY_MS = 30_000
/** So many ends before it was ever ready mean that it cannot start here. */
const EARLY_ENDS_MAX = 3

export type ControllerChild = {
  /** Resolves when the controller first says that it is ready; rejects when it cannot start. */
  ready: Promise<void>
  /** Ends it and waits; resolves at once when it is gone. */
  stop(): Promise<void>
}
type Options = { file: string; env: NodeJS.ProcessEnv; log: Log; backoffMs?: typeof BACKOFF_MS; stopGraceMs?: number }

/** Keeps one controller alive beside the web process. The IPC channel ends it when this process dies, however that happens. */
export function superviseController(options: Options): ControllerChild {
  const stopping = new AbortController()
  let child: ChildProcess | null = null
  let settle: { resolve: () => void; reject: (error: Error) => void } = { resolve: () => undefined, reject: () => undefined }
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const running = keepAlive(options, stopping.signal, {
    onChild: (current) => {
      child = current
    },
    onReady: () => settle.resolve(),
    onHopeless: (error) => settle.reject(error),
  })
  const stop = async () => {
    stopping.abort()
    await endChild(child, options.stopGraceMs ?? 8000)
    await running
  }
  return { ready, stop }
}

type Events = { onChild(child: ChildProcess | null): void; onReady(): void; onHopeless(error: Error): void }

async function keepAlive(options: Options, signal: AbortSignal, events: Events): Promise<void> {
  const { log } = options
  const backoff = options.backoffMs ?? BACKOFF_MS
  let delayMs = backoff.first
  let earlyEnds = 0
  let wasReady = false
  while (!signal.aborted) {
    const startedAt = performance.now()
    const child = fork(options.file, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], env: options.env })
    events.onChild(child)
    log.info('controller started', { pid: child.pid })
    child.on('message', (message) => {
      if (!isReady(message)) return
      wasReady = true
      events.onReady()
    })
    const ended = await endOf(child)
    events.onChild(null)
    if (signal.aborted) return
    if (!wasReady && ++earlyEnds === EARLY_ENDS_MAX) {
      events.onHopeless(new Error('the controller ended three times while it started; its messages are above'))
      return
    }
    if (performance.now() - startedAt > STEADY_MS) delayMs = backoff.first
    log.error('controller ended', { ended, againInMs: delayMs })
    await pause(delayMs, signal)
    delayMs = Math.min(delayMs * 2, backoff.last)
  }
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}

async function endChild(child: ChildProcess | null, graceMs: number): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = endOf(child)
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(force)
}
