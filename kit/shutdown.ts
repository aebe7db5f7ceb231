import type { Log } from './log'

const holder = globalThis as { berthShutdown?: AbortController }

/** One signal per process that says "end now". On globalThis, because a bundler may load this module more than once. */
export function shutdownSignal(): AbortSignal {
  return controller().signal
}

function controller(): AbortController {
  holder.berthShutdown ??= new AbortController()
  return holder.berthShutdown
}

/** Ends the process cleanly on SIGTERM, SIGINT or a lost parent: `close` is awaited for at most `graceMs`. */
export function onShutdown(close: () => Promise<void>, options: { log: Log; graceMs: number; exitWithParent: boolean }): void {
  const end = (why: string) => {
    if (controller().signal.aborted) return
    options.log.info('stopping', { why })
    controller().abort()
    const force = setTimeout(() => process.exit(1), options.graceMs)
    force.unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        options.log.error('did not stop cleanly', { error })
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', () => end('SIGTERM'))
  process.once('SIGINT', () => end('SIGINT'))
  if (!options.exitWithParent) return
  process.once('disconnect', () => end('parent is gone'))
  // It may have gone while this program was loaded; of a process that has no parent of that kind it is undefined.
  if (process.connected === false) end('parent is gone')
}
