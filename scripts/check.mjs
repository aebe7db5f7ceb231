// `npm run check`: format and lint, types, import table, dead code, generated pages, unit tests. Each prints one line.
import { checks, reportCheck } from './lib/checks.mjs'
import { generateClients, installPackages, requireNode } from './lib/prepare.mjs'
import { runVitest } from './lib/suites.mjs'

requireNode()
await installPackages(process.cwd())
await generateClients(process.cwd())
const results = []
for (const check of checks) results.push(await reportCheck(check))
if (!process.argv.includes('--no-unit')) results.push(await runVitest('unit'))
const failed = results.reduce((sum, r) => sum + r.failed, 0)
console.log(`${results.reduce((sum, r) => sum + r.passed, 0)} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
