// `npm run check`: format and lint, types, import table, dead code, generated pages, unit tests. Each prints one line. What takes
// minutes is left to `npm test`.
import { checks, reportCheck } from './lib/checks.mjs'
import { generateClients, installPackages, requireNode } from './lib/prepare.mjs'
import { runVitest } from './lib/suites.mjs'

requireNode()
await installPackages(process.cwd())
await generateClients(process.cwd())
const [statics, unit] = await Promise.all([everyCheck(), runVitest('unit', { env: { QUICK: '1' } })])
const results = [...statics, unit]
const failed = results.reduce((sum, r) => sum + r.failed, 0)
console.log(`${results.reduce((sum, r) => sum + r.passed, 0)} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function everyCheck() {
  const reported = []
  for (const check of checks) reported.push(await reportCheck(check))
  return reported
}
