// `npm run bench`: a line each, `name value unit goal`; a full run also writes docs/benchmarks.md.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { Berth } from '../e2e/support/berth'
import type { Measure } from './lib/bench'
import { formatLine, isMet, type Line } from './lib/line'
import { installPeers } from './lib/peers'
import { Person } from './lib/person'
import { writeReport } from './lib/report'
import { gateway } from './measures/gateway'
import { notebook } from './measures/notebook'
import { atRest } from './measures/rest'
import { sessions } from './measures/sessions'
import { secondStart } from './measures/start'
import { terminal } from './measures/terminal'

const MEASURES: Record<string, Measure> = { start: secondStart, rest: atRest, sessions, terminal, gateway, notebook }
const root = path.resolve(import.meta.dirname, '..')

async function main(): Promise<void> {
  process.chdir(root)
  const asked = process.argv.slice(2)
  const unknown = asked.find((name) => !(name in MEASURES))
  if (unknown) throw new Error(`no measure ${unknown}; there are ${Object.keys(MEASURES).join(', ')}`)
  const peers = installPeers(jupyterlabOfCatalog())
  const berth = await Berth.create()
  try {
    const link = await berth.start(600_000)
    const person = new Person(berth.port)
    await person.signUp(link)
    await person.machineIsHere()
    const lines = await measure(asked.length > 0 ? asked : Object.keys(MEASURES), { berth, person, peers, say })
    const missed = lines.filter((line) => isMet(line) === false)
    if (asked.length === 0) writeReport(lines, peers.versions)
    say(missed.length === 0 ? 'every goal is met' : `missed: ${missed.map((line) => line.name).join(', ')}`)
  } finally {
    await berth.destroy()
  }
}

async function measure(names: readonly string[], bench: Parameters<Measure>[0]): Promise<Line[]> {
  const lines: Line[] = []
  for (const name of names) {
    say(`measuring: ${name}`)
    for (const line of (await MEASURES[name]?.(bench)) ?? []) {
      lines.push(line)
      console.log(formatLine(line))
    }
  }
  return lines
}

/** The very JupyterLab that Berth starts. */
function jupyterlabOfCatalog(): string {
  const { runtimes } = parse(readFileSync(path.join(root, 'catalog/catalog.yaml'), 'utf8'))
  return runtimes.find((r: { id: string }) => r.id === 'jupyterlab').server[0]
}

/** For the one who waits; lines of numbers stand alone on standard output. */
function say(text: string): void {
  console.error(`# ${text}`)
}

await main()
