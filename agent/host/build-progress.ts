import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import type { BuildLaunch, BuildLine } from './build-launch'
import { installReport } from './build-launch'

const REPORT_BYTES_MAX = 16 * 1024 * 1024

type Step = BuildLaunch['steps'][number]

/**
 * How far a build is. Facts come from files: the installer's report says how many packages there will be, the folder of
 * installed ones how many there are. The installer's printed lines are shown as a hint and decide nothing.
 */
export class BuildProgress {
  readonly #launch: BuildLaunch
  #step: Pick<Step, 'stage' | 'installs'> = { stage: 'environment', installs: false }
  #detail: string | null = null
  #collected = 0
  #total: number | null = null
  #received = 0
  #last = ''

  constructor(launch: BuildLaunch) {
    this.#launch = launch
  }

  enter(step: Step): void {
    this.#step = step
    this.#detail = null
  }

  line(text: string): void {
    const name =
      /^\s*(?:Collecting|Downloading|Building|Prepared|Installing collected packages:)\s+([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(
        text,
      )?.[1]
    if (!name) return
    this.#detail = name.slice(0, 100)
    if (/^Collecting\s/.test(text)) this.#collected += 1
  }

  received(bytes: number): void {
    this.#received += bytes
  }

  /** Says what changed since the last report, or nothing. */
  report(say: (line: BuildLine) => void): void {
    const line: BuildLine = {
      type: 'progress',
      stage: this.#step.stage,
      detail: this.#detail,
      ...this.#counts(),
      received: this.#received,
    }
    const text = JSON.stringify(line)
    if (text === this.#last) return
    this.#last = text
    say(line)
  }

  #counts(): { done: number | null; total: number | null } {
    if (!this.#step.installs) return { done: null, total: null }
    this.#total ??= this.#planned()
    if (this.#total === null) return { done: this.#collected, total: null }
    return { done: Math.min(this.#installed(), this.#total), total: this.#total }
  }

  #planned(): number | null {
    try {
      return installReport.parse(JSON.parse(readPlainFile(this.#launch.report))).install.length
    } catch {
      return null // Not decided yet, or an installer without a report.
    }
  }

  #installed(): number {
    try {
      return readdirSync(this.#launch.sitePackages).filter((name) => name.endsWith('.dist-info')).length
    } catch {
      return 0 // The environment does not exist yet.
    }
  }
}

/** Foreign code can write in this folder: no link is followed, and nothing that is not a file is waited for. */
function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > REPORT_BYTES_MAX) throw new Error('not a report')
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
