// `npm run berth -- …`: the command line. Sets the same environment as `npm start`, then runs its bundle. What manages the
// processes and the service of this machine needs no bundle and is answered here.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataDirectory, runtimeDirectory, StartError } from './lib/places.mjs'
import { firstPort } from './lib/ports.mjs'
import { installService, uninstallService } from './lib/service.mjs'
import { stopBerth } from './lib/stop.mjs'

const root = path.dirname(import.meta.dirname)
const home = () => dataDirectory()
const LOCAL = {
  stop: async () => orNothing(await stopBerth(home(), { isAll: false })),
  'stop --all': async () => orNothing(await stopBerth(home(), { isAll: true })),
  'service install': async () => installService({ root, home: home(), port: firstPort() }),
  'service uninstall': async () => uninstallService(),
}

async function main() {
  const local = LOCAL[process.argv.slice(2).join(' ')]
  if (local) return console.log((await local()).join('\n'))
  if (['stop', 'service'].includes(process.argv[2] ?? ''))
    throw new StartError(`usage: berth ${Object.keys(LOCAL).join(' | berth ')}`)
  await runBundle()
}

async function runBundle() {
  Object.assign(process.env, {
    BERTH_HOME: home(),
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: runtimeDirectory(home()),
    BERTH_PORT: String(firstPort()),
  })
  const bundle = path.join(root, 'dist/berth.mjs')
  if (!existsSync(bundle)) throw new StartError('nothing is built yet; run `npm start` first')
  await import(bundle)
}

function orNothing(ended) {
  return ended.length > 0 ? ended.map((what) => `ended ${what}`) : ['nothing of Berth was running']
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
