import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'
import { createLog } from '@/kit/log'
import { egressSockets } from './control-messages'
import { EgressService } from './egress-service'

// `egress.mjs <state directory> <runtime directory>`: one per machine, detached; a second one ends at once.
const [stateDir = '', runtimeDir = ''] = process.argv.slice(2)
process.umask(0o077)
mkdirSync(runtimeDir, { recursive: true, mode: 0o700 })
const log = createLog('egress')

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
