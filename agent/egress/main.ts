import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createLog } from '@/kit/log'
import { readBootId } from '../boot-id'
import { LockHeld, takeLock } from '../lock'
import { egressSockets } from './control-messages'
import { EgressService } from './egress-service'

const LOOK_MS = 50
/** As long as an agent waits for it. */
const WAIT_MS = 20_000

// `egress.mjs <state directory> <runtime directory>`: one per machine, detached; a second one ends as soon as the first serves.
const [stateDir = '', runtimeDir = ''] = process.argv.slice(2)
process.umask(0o077)
mkdirSync(runtimeDir, { recursive: true, mode: 0o700 })
const log = createLog('egress')

// The lock comes first: of two that are started at once, the later would take the sockets from under the other.
for (const end = Date.now() + WAIT_MS; !isFirst(); await wait(LOOK_MS))
  if (Date.now() > end || (await isServed(egressSockets(runtimeDir, stateDir).control))) process.exit(0)
// One of a build that knows no lock.
if (await isServed(egressSockets(runtimeDir, stateDir).control)) process.exit(0)
const code = basename(dirname(process.argv[1] ?? ''))
const service = new EgressService({ stateDir, runtimeDir, code, log, now: () => new Date(), idle: () => end('idle') })
await service.start()
process.on('SIGTERM', () => end('told to'))
process.on('SIGINT', () => end('told to'))
process.on('SIGHUP', () => undefined)

function end(why: string): void {
  log.info('ending', { why })
  void service.close().finally(() => process.exit(0))
}

/** Held until the end of this process, however it ends. One that is ending, or only starting, is waited for. */
function isFirst(): boolean {
  try {
    takeLock(stateDir, readBootId())
    return true
  } catch (error) {
    if (error instanceof LockHeld) return false
    throw error
  }
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
