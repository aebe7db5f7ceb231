import { join } from 'node:path'
import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import { openLogFile } from '@/kit/log-file'
import { onShutdown } from '@/kit/shutdown'
import { type AgentLaunch, agentLaunch } from '@/protocol/enrol'
import { startAgent } from './agent'
import { readBootId } from './boot-id'
import { driverKinds, readSettings } from './config'
import { openDriver } from './drivers/open-driver'
import { takeLock } from './lock'

const LAUNCH_MS = 60_000
const CLOSE_MS = 10_000

/** The agent's process: settings, the lock of its state folder, the launch message of the controller that forked it, then the agent. */
async function main(): Promise<void> {
  const settings = readSettings()
  const destination = openLogFile(join(settings.BERTH_HOME, 'logs/agent.log'))
  const log = createLog('agent', { level: settings.BERTH_LOG_LEVEL, destination })
  const opened: { close: () => Promise<void> } = { close: async () => undefined }
  onShutdown(() => opened.close(), { log, graceMs: CLOSE_MS, exitWithParent: true })
  try {
    const bootId = readBootId()
    const dataDir = settings.BERTH_HOME
    const lock = takeLock(join(dataDir, 'agent'), bootId)
    process.once('exit', () => lock.release())
    const launch = await launchMessage()
    const codeDir = join(settings.BERTH_ROOT, 'dist')
    const deps = { dataDir, runtimeDir: settings.BERTH_RUNTIME_DIR, codeDir, bootId, log, clock: systemClock }
    const drivers = await Promise.all(driverKinds(settings).map((kind) => openDriver(kind, deps)))
    const agent = await startAgent({ dataDir, launch, drivers, bootId, version: VERSION, log, clock: systemClock })
    opened.close = () => agent.close()
  } catch (error) {
    log.error('agent did not start', { error })
    process.exit(1)
  }
}

const VERSION = '0.1.0'

/** Waits for what the controller sends at each start. */
function launchMessage(): Promise<AgentLaunch> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no launch message came from the controller')), LAUNCH_MS)
    process.on('message', (message) => {
      const launch = agentLaunch.safeParse(message)
      if (!launch.success) return
      clearTimeout(late)
      resolve(launch.data)
    })
  })
}

await main()
