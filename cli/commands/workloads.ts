import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { KIND_NAMES } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { counted } from '@/domain/reason'
import { reasonText } from '@/domain/reasons'
import { waitsForRoom } from '@/domain/reasons-of-waiting'
import type { WorkloadView } from '@/domain/views'
import type { Progress, Stop, Workload } from '@/domain/workloads'
import type { Cli, Shown } from '../cli'
import { Failure } from '../failure'
import { findWorkload } from '../find-workload'
import { age, print, printJson, printTable, tell } from '../output'
import { ask } from '../prompt'

type Verb = 'pause' | 'park' | 'resume' | 'restart' | 'recover' | 'keep'
const VERBS: Record<Verb, string> = {
  pause: 'freeze a workload in memory',
  park: 'stop a workload and keep its files',
  resume: 'start a parked workload again, or let a paused one go on',
  restart: 'start a failed workload or an ended session again',
  recover: 'start a lost workload again from what is left of its files',
  keep: 'put off the stop of an idle workload',
}

/** `ls`, `open`, `why`, `rm`, and one command for each verb. */
export function addWorkloads(program: Command, cli: Cli): void {
  program
    .command('ls')
    .description('list workloads, the newest first')
    .option('--mine', 'only your own')
    .option('--all', 'those that have ended, too')
    .option('--kind <kind>', KIND_NAMES.join(', '))
    .option('--json', 'as JSON')
    .action((given: ListOptions) => list(cli, given))
  for (const [verb, description] of Object.entries(VERBS) as [Verb, string][])
    program
      .command(`${verb} <name>`)
      .description(description)
      .option('--json', 'as JSON')
      .action((name: string, given: Shown) => operate(cli, verb, { name, ...given }))
  program
    .command('rm <name>')
    .description('delete a workload and its files')
    .option('--yes', 'without asking')
    .option('--json', 'as JSON')
    .action((name: string, given: Shown & { yes?: boolean }) => remove(cli, name, given))
  program
    .command('open <name>')
    .description('open a workload in the browser')
    .option('--print', 'print the address instead')
    .option('--json', 'as JSON')
    .action((name: string, given: Shown & { print?: boolean }) => open(cli, name, given))
  program
    .command('why <name>')
    .description('say why a workload is as it is, and what it waits for')
    .option('--json', 'as JSON')
    .action((name: string, given: Shown) => why(cli, name, given))
}

type ListOptions = Shown & { mine?: boolean; all?: boolean; kind?: string }

async function list(cli: Cli, { mine, all, kind, json }: ListOptions): Promise<void> {
  const kinds = KIND_NAMES.filter((known) => known === kind)
  if (kind !== undefined && kinds.length === 0)
    throw new Failure(`--kind: ${KIND_NAMES.join(', ')}, not ${kind}`, { exitCode: 2 })
  const rows: WorkloadView[] = []
  let cursor: string | undefined
  do {
    const page = await cli.api.query('workloads', 'list', { mine, ended: all, cursor, ...(kind === undefined ? {} : { kinds }) })
    rows.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  if (json) return printJson(rows)
  printTable(
    ['NAME', 'KIND', 'STATE', 'MACHINE', 'OWNER', 'AGE', 'REASON'],
    rows.map((row) => [
      ...[row.name, row.kind, row.state, row.reach?.machineName ?? '–', row.isOwn ? 'you' : row.ownerName, age(row.createdAt)],
      standing(row) ?? '',
    ]),
  )
}

async function operate(cli: Cli, verb: Verb, { name, json }: Shown & { name: string }): Promise<void> {
  const before = await findWorkload(cli.api, name)
  const after = await cli.api.mutate('workloads', verb, { id: before.id })
  if (json) return printJson(after)
  print(`${after.name}: ${outcome(verb, before, after)}`)
}

/** What came of a verb; one that found nothing to do says so. Pure. */
function outcome(verb: Verb, before: Workload, after: Workload): string {
  const { idleMinutes } = after.settings
  if (verb === 'keep')
    return idleMinutes === null
      ? 'has no idle stop: nothing to keep'
      : `its idle stop is put off by ${counted(idleMinutes, 'minute')}`
  const { state } = after
  const want = after.placement?.want
  if (verb === 'pause' && state === 'running' && want === 'pause') return 'is being frozen in memory'
  if (verb === 'resume' && state === 'paused' && want === 'run') return 'goes on'
  const isSame = state === before.state && after.version === before.version && want === before.placement?.want
  return isSame ? `is ${state} already` : toldState(after)
}

async function remove(cli: Cli, name: string, { yes, json }: Shown & { yes?: boolean }): Promise<void> {
  const { id, kind } = await findWorkload(cli.api, name)
  if (!yes && !process.stdin.isTTY) throw new Failure('say --yes to delete it without being asked', { exitCode: 2 })
  if (!yes && !/^y(es)?$/i.test(await ask(`Delete the ${kind} ${name} and all its files? [y/N] `)))
    throw new Failure('nothing was deleted')
  show(await cli.api.mutate('workloads', 'delete', { id }), json)
}

async function open(cli: Cli, name: string, given: Shown & { print?: boolean }): Promise<void> {
  const { id } = await findWorkload(cli.api, name)
  const opened = await cli.api.mutate('workloads', 'open', { id })
  if (given.json) return printJson(opened)
  if (!given.print && process.stdout.isTTY && (await openBrowser(opened.url))) return tell(`opened ${opened.url}`)
  print(opened.url)
}

async function why(cli: Cli, name: string, { json }: Shown): Promise<void> {
  const workload = await findWorkload(cli.api, name)
  if (workload.state !== 'queued') {
    if (json) return printJson(answerOf(workload))
    return print(sentence(workload))
  }
  const funnel = await cli.api.query('workloads', 'why', { id: workload.id })
  if (json) return printJson({ state: workload.state, ...funnel })
  print(`${workload.name} waits: ${reasonText(funnel.reason)}`)
  if (funnel.queue) print(`place ${funnel.queue.position} of ${funnel.queue.length} in the queue`)
  printTable(
    ['FILTER', 'ASKED', 'LEFT', 'DROPPED'],
    funnel.rows.map((row) => [row.filter, row.asked, String(row.left), String(row.dropped)]),
  )
  for (const suggestion of funnel.suggestions) print(`would run: ${suggestion.title} (${suggestion.detail})`)
  if (!waitsForRoom(funnel.reason)) return
  const { rows } = await cli.api.query('workloads', 'list', {
    mine: true,
    states: ['provisioning', 'running', 'paused', 'parking'],
  })
  const held = rows.map((row) => `${row.name} (${counted(row.spec.cpus, 'CPU')})`)
  if (held.length > 0) print(`yours that hold room: ${held.join(', ')}; \`park\` keeps their files`)
}

/** One line about a workload, or all of it as JSON. */
export function show(workload: Workload, json: boolean | undefined): void {
  if (json) printJson(workload)
  else print(sentence(workload))
}

function sentence(workload: Workload): string {
  return `${workload.name}: ${toldState(workload)}`
}

function toldState(workload: Workload): string {
  const why = standing(workload)
  return `${workload.state}${why === null ? '' : ` (${why})`}`
}

/** What its state alone does not say: that its program is over, that it stops soon, how far it is, or the reason. */
export function standing(workload: Workload): string | null {
  const { state, reason, exitCode, progress } = workload
  if (state === 'running' && exitCode !== null) return `its program has ended with exit code ${exitCode}`
  const soon = stopSoon(workload)
  if (soon) return soon
  if (progress) return progressText(progress)
  const why = reason && reasonText(reason)
  return why === `is ${state}` ? null : why
}

const STOP_WORDS: Record<Stop, (name: string) => string> = {
  idle: (name) => `nothing happens inside; \`keep ${name}\` puts it off`,
  limit: () => 'its time limit ends',
  schedule: () => 'its schedule says so',
}

/** The warning that every surface gives before a run ends by itself. */
function stopSoon({ name, state, stopAt, stopWhy }: Workload): string | null {
  if (stopAt === null || stopWhy === null || (state !== 'running' && state !== 'paused')) return null
  const minutes = Math.max(0, Math.ceil((stopAt.getTime() - Date.now()) / 60_000))
  return minutes > LIMITS.idleWarnMinutes ? null : `parks in ${minutes} min: ${STOP_WORDS[stopWhy](name)}`
}

function progressText({ stage, detail, done, total, unit }: Progress): string {
  const far = done === null || unit === null || unit === 'bytes' ? null : `${done}${total === null ? '' : ` of ${total}`} ${unit}`
  return [stage, far, detail].filter(Boolean).join(': ')
}

function answerOf({ state, reason, exitCode, stateSince: since }: Workload) {
  return { state, reason, text: reason && reasonText(reason), exitCode, since }
}

/** False when this computer has no desktop, or its browser did not start. */
function openBrowser(url: string): Promise<boolean> {
  const isDesktop = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!isDesktop) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
