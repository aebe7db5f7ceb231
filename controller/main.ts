import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { AgentsBackend } from '@/backends/agents/agents-backend'
import type { Settings } from '@/domain/settings'
import { systemClock } from '@/kit/clock'
import { createLog, type Log } from '@/kit/log'
import { openLogFile } from '@/kit/log-file'
import { Waker } from '@/kit/loop'
import { onShutdown, shutdownSignal } from '@/kit/shutdown'
import { loadCatalog } from '@/server/service/catalog'
import { closeDb, initDb } from '@/server/store/shared'
import { ensureLocalMachine } from '@/server/store/system/machines'
import { databaseUrl } from '@/server/store/url'
import { pathsOf, readSettings } from './config'
import { createGateway } from './gateway/gateway'
import { createHub } from './hub/hub'
import { openAuthority } from './hub/open-authority'
import { ControllerLease } from './lease'
import { keepLocalAgent } from './local-agent'
import { runControllerLoop } from './loop'
import { type ReconcileDeps, Reconciler } from './reconcile'
import { runUpkeep } from './upkeep'

/** Shorter than the web process waits before it kills. */
const CLOSE_MS = 7000

/** The controller's process: hub, gateway, this machine's agent, and the loop; then it tells its parent that it is ready. */
async function main(): Promise<void> {
  const settings = readSettings()
  const destination = openLogFile(join(settings.BERTH_HOME, 'logs/controller.log'))
  const log = createLog('controller', { level: settings.BERTH_LOG_LEVEL, destination })
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  onShutdown(close, { log, graceMs: CLOSE_MS, exitWithParent: true })
  try {
    await start({ settings, log, onClose: (closer) => closers.push(closer) })
    process.send?.({ type: 'ready' })
  } catch (error) {
    log.error('controller did not start', { error })
    process.exit(1)
  }
}

type Start = { settings: Settings; log: Log; onClose: (closer: () => Promise<void>) => void }

async function start({ settings, log, onClose }: Start): Promise<void> {
  const paths = pathsOf(settings)
  const clock = systemClock
  const catalog = await loadCatalog(paths.catalog)
  const url = databaseUrl(settings)
  const db = await initDb(url)
  onClose(closeDb)
  await mkdir(settings.BERTH_RUNTIME_DIR, { recursive: true, mode: 0o700 })

  const authority = await openAuthority({ db, keyFile: paths.authorityKey, clock })
  const hub = createHub({ db, log, catalog, authority, controllerId: randomUUID(), clock })
  onClose(() => hub.close())
  await hub.listen(paths.agentsSocket)

  const lease = new ControllerLease({ db, clock })
  const runtimeDir = settings.BERTH_RUNTIME_DIR
  const backend = new AgentsBackend({ db, link: hub.link, runtimeDir, epoch: () => lease.epoch })
  const gateway = createGateway({ db, log, settings, backend, clock })
  onClose(() => gateway.close())
  await gateway.listen()

  const waker = new Waker()
  hub.onChange(() => waker.wake())
  onClose(runLoops({ db, backend, catalog, lease, clock, log, url, waker }))

  const agent = keepLocalAgent({
    ensureMachine: () => ensureLocalMachine(db, { hostname: hostname(), at: clock.now(), newId: () => uuidv7() }),
    mintJoinToken: (machine) => hub.mintJoinToken(machine),
    socket: paths.agentsSocket,
    program: paths.agentProgram,
    log,
  })
  onClose(() => agent.close())
}

type Loops = Pick<ReconcileDeps, 'db' | 'backend' | 'catalog' | 'lease' | 'clock' | 'log'> & { url: string; waker: Waker }

/** Begins the reconcile loop and the upkeep; returns what ends both. */
function runLoops({ url, waker, ...deps }: Loops): () => Promise<void> {
  const { db, log, clock } = deps
  const signal = shutdownSignal()
  const pace = { newId: () => uuidv7(), random: Math.random, wake: () => waker.wake() }
  const reconciler = new Reconciler({ ...deps, ...pace })
  const loop = runControllerLoop((passing) => reconciler.pass(passing), { db, log, waker, signal })
  const upkeep = runUpkeep({ db, url, clock, log, waker: new Waker(), signal })
  return async () => {
    await Promise.all([loop, upkeep, reconciler.close()])
  }
}

await main()
