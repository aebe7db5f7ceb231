// `npm start`: installs what is missing, builds what is stale, starts Berth in this process. Plain Node.
import { createRequire } from 'node:module'
import path from 'node:path'
import { requireUsableDisk } from './lib/disk.mjs'
import { dataDirectory, prepareDataDirectory, prepareRuntimeDirectory, runtimeDirectory, StartError } from './lib/places.mjs'
import { firstPort, requireFreePorts } from './lib/ports.mjs'
import { build, generateClients, installPackages, requireNode } from './lib/prepare.mjs'
import { webProcess } from './lib/processes.mjs'
import { keepToFile } from './lib/quiet.mjs'
import { requireKnownSettings, requireKnownValues } from './lib/settings.mjs'
import { must, say } from './lib/steps.mjs'
import { reportTools } from './lib/tools.mjs'

const root = path.dirname(import.meta.dirname)
const isDevelopment = process.argv.includes('--dev')

async function main() {
  process.chdir(root)
  requireNode()
  requireKnownSettings(root)
  requireKnownValues()
  const port = firstPort()
  const home = dataDirectory()
  prepareDataDirectory(home)
  requireUsableDisk(home)
  requireNoOther(home)
  const runtime = runtimeDirectory(home)
  prepareRuntimeDirectory(runtime)
  await requireFreePorts(port)
  Object.assign(process.env, {
    BERTH_HOME: home,
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: runtime,
    BERTH_PORT: String(port),
  })
  reportTools(root)
  await installPackages(root)
  if (isDevelopment) await buildForDevelopment()
  else await build(root)
  say('starting')
  startNext(port, home)
}

/** Another one may have outlived its terminal, or npm itself; its workloads are not this start's to touch. */
function requireNoOther(home) {
  const pid = webProcess(home)
  if (pid === null) return
  throw new StartError(
    `another Berth (process ${pid}) uses the data directory ${home}; open it, or end it with \`npm run berth -- stop\``,
  )
}

async function buildForDevelopment() {
  await generateClients(root)
  await must('bundling controller and agent', [process.execPath, 'scripts/build.mjs'])
}

/** Next runs in this very process, so that a signal to `npm start` reaches it and nothing is left behind. */
function startNext(port, home) {
  Object.assign(process.env, {
    CHECKPOINT_DISABLE: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXTAUTH_URL: `http://berth.localhost:${port}`,
    MALLOC_ARENA_MAX: '2',
  })
  if (!isDevelopment) keepToFile(process.stdout, home)
  process.argv = [process.execPath, 'next', isDevelopment ? 'dev' : 'start', '-H', '127.0.0.1', '-p', String(port)]
  createRequire(import.meta.url)('next/dist/bin/next')
}

main().catch((error) => {
  console.error(error instanceof StartError ? `Berth did not start: ${error.message}` : error)
  process.exit(1)
})
