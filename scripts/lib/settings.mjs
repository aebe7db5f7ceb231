// Refuses a wrong setting before anything slow begins. The table is `domain/settings.ts`; plain Node reads only its names.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { nearest } from '../../kit/nearest.mjs'
import { StartError } from './places.mjs'

/** Variables that begin like ours and are not settings. */
const ALSO_KNOWN = ['BERTH_STANDALONE', 'BERTH_TEST_PG']

/** Throws one sentence for a `BERTH_*` variable that no process knows. Needs no package. */
export function requireKnownSettings(root, environment = process.env) {
  const source = readFileSync(path.join(root, 'domain/settings.ts'), 'utf8')
  const known = [...[...source.matchAll(/^ {2}(BERTH_\w+):/gm)].map((match) => match[1]), ...ALSO_KNOWN]
  const unknown = Object.keys(environment).find((name) => name.startsWith('BERTH_') && !known.includes(name))
  if (unknown) throw new StartError(`${unknown} is not a setting; did you mean ${nearest(unknown, known)}?`)
}

/** Throws the sentence of the first setting whose value is out of its bounds. Needs the packages. */
export function requireGoodSettings(root, env = process.env) {
  const command = ['--import', 'tsx', 'scripts/check-settings.ts']
  const result = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' })
  if (result.status !== 0) throw new StartError(result.stderr.trim())
}
