// The static checks, each one a command whose exit code decides.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { run, say } from './steps.mjs'

const bin = (name) => path.join('node_modules/.bin', name)
const FOLDERS = [
  'agent',
  'app',
  'backends',
  'cli',
  'components',
  'controller',
  'domain',
  'kit',
  'protocol',
  'server',
  'testing',
  'e2e',
]

export const checks = [
  { name: 'format and lint', commands: [[bin('biome'), 'check', '--error-on-warnings', '.']] },
  {
    name: 'types',
    commands: [
      [bin('next'), 'typegen'],
      [bin('tsc'), '--noEmit'],
    ],
  },
  { name: 'import table', commands: [importCommand('err')], verify: requireEveryModule },
  { name: 'dead code', commands: [[bin('knip'), '--no-config-hints']] },
  { name: 'generated pages', commands: [[bin('tsx'), 'scripts/gen-docs.ts', '--check']] },
]

/** Runs one check and says how it went. Counts as one test. */
export async function reportCheck(check) {
  for (const command of check.commands) {
    const result = await run(`check: ${check.name}`, command)
    const fault = result.code === 0 ? check.verify?.(result.output) : result.output
    if (!fault) continue
    process.stdout.write(fault.slice(-12_000))
    say(`check: ${check.name} FAILED`)
    return { passed: 0, failed: 1 }
  }
  return { passed: 1, failed: 0 }
}

function importCommand(output, folders = FOLDERS) {
  return [
    bin('depcruise'),
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    output,
    ...folders,
    'proxy.ts',
    'instrumentation.ts',
  ]
}

/** A cruiser that reads nothing finds nothing wrong: as many modules as exist must have been read. */
function requireEveryModule(output) {
  const cruised = Number(/(\d+) modules/.exec(output)?.[1] ?? 0)
  const existing = FOLDERS.reduce((sum, folder) => sum + countModules(folder), 2)
  return cruised >= existing ? null : `only ${cruised} of ${existing} modules were cruised\n${output}`
}

function countModules(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('/generated/') && statSync(name).isFile()).length
}
