// `npm test`: prerequisites, checks, every suite, the browser journeys; ends with `N passed, N failed`.
import path from 'node:path'
import { checks, reportCheck } from './lib/checks.mjs'
import { checkClientFiles } from './lib/client-files.mjs'
import { checkFirstLoads } from './lib/first-load.mjs'
import { StartError } from './lib/places.mjs'
import { build, generateClients, installPackages, requireNode } from './lib/prepare.mjs'
import { requirePrerequisites } from './lib/prerequisites.mjs'
import { say } from './lib/steps.mjs'
import { runPlaywright, runVitest } from './lib/suites.mjs'

const root = path.dirname(import.meta.dirname)

async function main() {
  process.chdir(root)
  requireNode()
  await requirePrerequisites()
  await installPackages(root)
  await generateClients(root)
  const results = []
  for (const check of checks) results.push(await reportCheck(check))
  await build(root)
  results.push(checkFirstLoads(root))
  results.push(checkClientFiles(root))
  for (const project of ['unit', 'db']) results.push(await runVitest(project))
  results.push(await runPlaywright())
  return results
}

function close(results) {
  const passed = results.reduce((sum, r) => sum + r.passed, 0)
  const failed = results.reduce((sum, r) => sum + r.failed, 0)
  for (const name of results.flatMap((r) => r.names ?? [])) console.log(name)
  say('done')
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

main().then(close, (error) => {
  console.error(error instanceof StartError ? error.message : error)
  close([{ passed: 0, failed: 1 }])
})
