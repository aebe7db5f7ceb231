// `npm run berth -- …`: the command line. Sets the same environment as `npm start`, then runs its bundle. What manages the
// processes and the service of this machine needs no bundle and is answered here.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataDirectory, runtimeDirectory, StartError } from './lib/places.mjs'
import { firstPort } from './lib/ports.mjs'
import { installService, uninstallService } from './lib/service.mjs'
import { requireKnownSettings } from './lib/settings.mjs'
import { stopBerth } from './lib/stop.mjs'

const root = path.dirname(import.meta.dirname)
const bundle = path.join(root, 'dist/berth.mjs')
const home = () => dataDirectory()
const LOCAL = {
  stop: async () => orNothing(await stopBerth(home(), { isAll: false })),
  'stop --all': async () => orNothing(await stopBerth(home(), { isAll: true })),
  'service install': async () => installService({ root, home: home(), port: firstPort() }),
  'service uninstall': async () => uninstallService(),
}

async function main() {
  requireKnownSettings(root)
  const args = process.argv.slice(2)
  const local = LOCAL[args.join(' ')]
  if (local) return console.log((await local()).join('\n'))
  const isLocal = ['stop', 'service'].includes(args[0] ?? '')
  const isHelp = args.some((word) => ['-h', '--help'].includes(word))
  if (isLocal && (!isHelp || !isBuilt())) return usage(isHelp)
  await runBundle()
}

function usage(isHelp) {
  console[isHelp ? 'log' : 'error'](`usage: berth ${Object.keys(LOCAL).join(' | berth ')}`)
  process.exitCode = isHelp ? 0 : 2
}

async function runBundle() {
  Object.assign(process.env, {
    BERTH_HOME: home(),
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: runtimeDirectory(home()),
    BERTH_PORT: String(firstPort()),
  })
  if (!isBuilt()) throw new StartError('nothing is built yet; run `npm start` first')
  // npm runs scripts in the checkout; a file that a person names is meant from where they are.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
  await import(bundle)
}

function isBuilt() {
  return existsSync(bundle)
}

function orNothing(ended) {
  return ended.length > 0 ? ended.map((what) => `ended ${what}`) : ['nothing of Berth was running']
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
