// `npm run berth -- …`: the command line. Sets the same environment as `npm start`, then runs its bundle.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataDirectory, runtimeDirectory, StartError } from './lib/places.mjs'
import { firstPort } from './lib/ports.mjs'

const root = path.dirname(import.meta.dirname)
try {
  const home = dataDirectory()
  Object.assign(process.env, {
    BERTH_HOME: home,
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: runtimeDirectory(home),
    BERTH_PORT: String(firstPort()),
  })
  const bundle = path.join(root, 'dist/berth.mjs')
  if (!existsSync(bundle)) throw new StartError('nothing is built yet; run `npm start` first')
  await import(bundle)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
