// Refuses a wrong setting before anything slow begins. The table is `domain/settings.ts`; plain Node reads only its names.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { nearest } from '../../kit/nearest.mjs'
import { StartError } from './places.mjs'

/** Variables that begin like ours and are not settings. */
const ALSO_KNOWN = ['BERTH_STANDALONE', 'BERTH_TEST_PG']

/** What can be judged without a package, in the words of the table; `settings.test.mjs` holds the two together. */
export const LIMITS_OF = {
  BERTH_DATABASE_URL: [/^postgres(ql)?:\/\//, 'a postgresql:// address'],
  BERTH_CATALOG: [/^\//, 'an absolute path'],
  BERTH_LOG_LEVEL: [/^(debug|info|warn|error)$/, 'debug, info, warn or error'],
  BERTH_DRIVERS: [/^(process|sim)(,(process|sim))?$/, 'process, sim or both'],
  BERTH_TOKEN: [/^berth_pat_[0-9A-Za-z]{49}$/, 'an API token'],
}

/** Throws one sentence for a `BERTH_*` variable that no process knows. Needs no package. */
export function requireKnownSettings(root, environment = process.env) {
  const source = readFileSync(path.join(root, 'domain/settings.ts'), 'utf8')
  const known = [...[...source.matchAll(/^ {2}(BERTH_\w+):/gm)].map((match) => match[1]), ...ALSO_KNOWN]
  const unknown = Object.keys(environment).find((name) => name.startsWith('BERTH_') && !known.includes(name))
  if (unknown) throw new StartError(`${unknown} is not a setting; did you mean ${nearest(unknown, known)}?`)
}

/** Throws one sentence for a setting with a wrong value. Needs no package. */
export function requireKnownValues(environment = process.env) {
  for (const [name, [pattern, limit]] of Object.entries(LIMITS_OF)) {
    const value = environment[name]
    if (value !== undefined && !pattern.test(value)) throw new StartError(`${name}: ${limit}`)
  }
}

/** Throws the sentence of the first setting whose value is out of its bounds. Needs the packages. */
export function requireGoodSettings(root, env = process.env) {
  const command = ['--import', 'tsx', 'scripts/check-settings.ts']
  const result = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' })
  if (result.status !== 0) throw new StartError(result.stderr.trim())
}
