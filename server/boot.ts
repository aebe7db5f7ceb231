import { accessSync, constants, existsSync, fstatSync, mkdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import type { Server } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { addresses, type Settings } from '@/domain/settings'
import { systemClock } from '@/kit/clock'
import { createLog, type Log } from '@/kit/log'
import { openLogFile } from '@/kit/log-file'
import { onShutdown } from '@/kit/shutdown'
import { loadAuthKey } from './auth/auth-key'
import { initRuntime, type Runtime } from './auth/runtime'
import { mintSetupLink } from './auth/setup'
import { catalogFile, readSettings } from './config'
import { type ControllerChild, superviseController } from './controller-child'
import { lockDataDirectory } from './data-lock'
import { relayIpv6Loopback } from './loopback-relay'
import { isInteractiveDesktop, openInBrowser } from './open-browser'
import { loadCatalog } from './service/catalog'
import { archiveOldEvents } from './store/archive'
import { watchChanges } from './store/changes'
import { readCounter } from './store/counter'
import { migrate } from './store/migrate'
import { closeDb, initDb } from './store/shared'
import { databaseUrl } from './store/url'
import { refuseUpgrades } from './web/refuse-upgrades'

const holder = globalThis as { berthBoot?: Promise<void> }
const CLOSE_MS = 12_000

/**
 * Brings the web process up: lock, migrations, keys, both loopback families, one controller. Resolves when requests may be
 * answered; the first-account link is printed once the controller is ready too. A start that fails ends the process with
 * one sentence: Next alone would go on and answer 500 for ever.
 */
export function boot(): Promise<void> {
  holder.berthBoot ??= start().catch(fail)
  return holder.berthBoot
}

async function start(): Promise<void> {
  const settings = readSettings()
  requireDataDirectory(settings.BERTH_HOME)
  const destination = openLogFile(path.join(settings.BERTH_HOME, 'logs/web.log'))
  const log = createLog('web', { level: settings.BERTH_LOG_LEVEL, destination })
  const unlock = lockDataDirectory(settings.BERTH_HOME)
  const opened: { relay: Server | null; controller: ControllerChild | null } = { relay: null, controller: null }
  const close = async () => {
    say('Berth ends; sessions and notebooks live on.')
    opened.relay?.close()
    await opened.controller?.stop()
    await closeDb()
    unlock()
  }
  onShutdown(close, { log, graceMs: CLOSE_MS, exitWithParent: false })
  process.once('exit', unlock)
  const runtime = await prepareRuntime(settings, log)
  initRuntime(runtime)
  // In development Next's own tools upgrade.
  if (process.env.NODE_ENV === 'production') refuseUpgrades(settings.BERTH_PORT)
  opened.relay = await relayIpv6Loopback(settings.BERTH_PORT)
  const controller = superviseController({
    file: path.join(settings.BERTH_ROOT, 'dist/controller.mjs'),
    env: childEnvironment(),
    log,
  })
  opened.controller = controller
  controller.ready.then(() => announce(runtime, settings.BERTH_HOME)).catch(fail)
}

async function prepareRuntime(settings: Settings, log: Log): Promise<Runtime> {
  const { BERTH_HOME, BERTH_PORT, BERTH_ROOT } = settings
  process.env.NEXTAUTH_URL ??= addresses(BERTH_PORT).dashboardOrigin
  const catalog = await loadCatalog(catalogFile(settings))
  const url = databaseUrl(settings)
  const backedUp = (file: string) => log.info('database copied before it is migrated', { file })
  const applied = await migrate(url, BERTH_ROOT, { backedUp })
  if (applied.length > 0) log.info('migrations applied', { applied })
  const archived = await archiveOldEvents(url, path.join(BERTH_HOME, 'archive'), systemClock.now())
  if (archived.length > 0) log.info('old events archived', { archived })
  const db = await initDb(url)
  const changes = { read: () => readCounter(db), watch: (signal: AbortSignal) => watchChanges(db, { signal }) }
  const authSecret = loadAuthKey(BERTH_HOME)
  return { db, port: BERTH_PORT, authSecret, catalog, changes, clock: systemClock, log, version: versionOf(BERTH_ROOT) }
}

/** Says where to go: the link for the first account, which is shown here and nowhere else, or the dashboard's address. */
async function announce(runtime: Runtime, home: string): Promise<void> {
  if (isKept()) {
    say(`Berth is ready: http://localhost:${runtime.port}/\nFor the first account: \`npm run berth -- setup-link\``)
    return
  }
  const minted = await mintSetupLink(runtime)
  const isTerminal = process.stdout.isTTY === true && process.stdin.isTTY === true
  if (isInteractiveDesktop({ isTerminal, platform: process.platform, environment: process.env }))
    openInBrowser(minted?.link ?? `http://localhost:${runtime.port}/`, { home })
  say(
    minted
      ? `Berth is ready. Make the first account within 15 minutes:\n\n  ${minted.link}\n`
      : `Berth is ready: ${addresses(runtime.port).dashboardOrigin}\n`,
  )
  say(`Ctrl-C ends it; sessions and notebooks live on. \`npm run berth -- stop --all\` ends them too. Log: ${home}/logs`)
}

/** Under a service what is printed goes to the journal or to a log file: the secret of the link has no place there. */
function isKept(): boolean {
  const { JOURNAL_STREAM: journal, XPC_SERVICE_NAME: service } = process.env
  if (journal === undefined) return service === 'berth'
  const { dev, ino } = fstatSync(1)
  return journal === `${dev}:${ino}`
}

/** It was made by the start script; a start without that script may bring its own, if it is as private. */
function requireDataDirectory(directory: string): void {
  try {
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`the data directory ${directory} is not writable; mend its permissions or set BERTH_HOME to another folder`, {
      cause,
    })
  }
  if ((statSync(directory).mode & 0o077) !== 0) throw new Error(`the data directory ${directory} is open to others; chmod 700 it`)
}

/** The controller gets our settings and nothing of Next's own. */
function childEnvironment(): NodeJS.ProcessEnv {
  const isNexts = (name: string) => /^(__NEXT|NEXT_|NEXTAUTH_|TURBOPACK)/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isNexts(name))) as NodeJS.ProcessEnv
}

function versionOf(root: string): string {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

function fail(error: unknown): never {
  createLog('web', { level: process.env.BERTH_LOG_LEVEL === 'debug' ? 'debug' : 'info' }).debug('start failed', { error })
  say(`Berth did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

/**
 * For the person at the terminal; never through the log, which would keep the secret of the link. Not through
 * `process.stdout` either: what Next writes there is kept to the log. Nobody may listen any more.
 */
function say(text: string): void {
  try {
    writeSync(1, `${text}\n`)
  } catch {
    // The terminal is closed: there is nobody to tell.
  }
}
