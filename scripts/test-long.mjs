// `npm run test:long [-- rounds]`: the schedules that `npm test` runs once, again and again with other seeds: every property
// test with many more runs, every test that kills a process, then the journeys with faults.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build, generateClients, installPackages, requireNode } from './lib/prepare.mjs'
import { requirePrerequisites } from './lib/prerequisites.mjs'
import { say } from './lib/steps.mjs'
import { runPlaywright, runVitest } from './lib/suites.mjs'

const root = path.dirname(import.meta.dirname)
const rounds = Number(process.argv[2] ?? 10)
const FOLDERS = ['agent', 'backends', 'cli', 'components', 'controller', 'domain', 'kit', 'protocol', 'server', 'scripts']
const REPEATED = /from 'fast-check'|SIGKILL|process\.env\.SOAK/

async function main() {
  process.chdir(root)
  requireNode()
  await requirePrerequisites()
  await installPackages(root)
  await generateClients(root)
  await build(root)
  const files = FOLDERS.flatMap(testFiles).filter((file) => REPEATED.test(readFileSync(file, 'utf8')))
  const results = []
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: ${files.length} files`)
    for (const project of ['unit', 'db']) {
      const own = files.filter((file) => file.endsWith('.db.test.ts') === (project === 'db'))
      results.push(await runVitest(project, { files: own, env: { SOAK: '1' } }))
    }
  }
  results.push(await runPlaywright(['e2e/faults.spec.ts', `--repeat-each=${rounds}`]))
  return results
}

function testFiles(folder) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => /\.test\.(tsx?|mjs)$/.test(name))
}

function close(results) {
  const sum = (key) => results.reduce((total, r) => total + r[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exit(sum('failed') === 0 ? 0 : 1)
}

main().then(close, (error) => {
  console.error(error)
  close([{ passed: 0, failed: 1 }])
})
