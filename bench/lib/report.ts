import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import path from 'node:path'
import { isMet, type Line, roundValue } from './line'

const root = path.resolve(import.meta.dirname, '../..')
const MARK = { true: 'yes', false: '**no**', null: '' } as const

/** Writes docs/benchmarks.md: the machine, the versions, every line, and what each stands for. */
export function writeReport(lines: readonly Line[], versions: Record<string, string>): void {
  const file = path.join(root, 'docs/benchmarks.md')
  writeFileSync(file, page(lines, { ...ownVersions(), ...versions }))
}

function page(lines: readonly Line[], versions: Record<string, string>): string {
  const rows = lines.map((line) => {
    const goal = line.goal === '-' ? '' : line.goal.replace('<=', '≤ ').replace('>=', '≥ ')
    return `| \`${line.name}\` | ${roundValue(line.value)} | ${line.unit} | ${goal} | ${MARK[`${isMet(line)}`]} |`
  })
  const met = lines.filter((line) => isMet(line)).length
  const goals = lines.filter((line) => isMet(line) !== null).length
  return `${readFileSync(path.join(root, 'bench/about.md'), 'utf8').trimEnd()}

## Last run
${new Date().toISOString().slice(0, 10)}, ${machine()}. ${met} of ${goals} goals met.

${Object.entries(versions)
  .map(([name, version]) => `${name} ${version}`)
  .join(' · ')}

| name | value | unit | goal | met |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function machine(): string {
  const [cpu] = cpus()
  const model = cpu?.model.replace(/\s+/g, ' ').trim()
  return `${cpus().length} cores (${model}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release().split('-', 1)[0]}`
}

function ownVersions(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return { Berth: version, Node: process.versions.node, Chromium: printed(process.env.CHROMIUM ?? '/usr/bin/chromium') }
}

function printed(command: string): string {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return /\d+(\.\d+)+/.exec(stdout ?? '')?.[0] ?? 'not there'
}
