import type { Command } from 'commander'
import { SHARE_LEVELS } from '@/domain/permissions'
import { counted } from '@/domain/reason'
import type { Workload, WorkloadSettings } from '@/domain/workloads'
import type { Cli, Shown } from '../cli'
import { Failure } from '../failure'
import { findWorkload } from '../find-workload'
import { type Flags, inFlags } from '../flags'
import { print, printJson, printTable } from '../output'
import { whole } from './new'
import { show } from './workloads'

const FLAGS: Flags = {
  name: 'the new name',
  minutes: '--minutes',
  requirements: '--require',
  'settings.idleMinutes': '--idle',
  'settings.limitMinutes': '--limit',
  'settings.parkAt.cron': '--park-at',
  'settings.parkAt.timeZone': '--time-zone',
}

/** `rename`, `set`, `look`, `export` and `share …`. */
export function addChange(program: Command, cli: Cli): void {
  program
    .command('rename <name> <new-name>')
    .description('give a workload another name')
    .option('--json', 'as JSON')
    .action((name: string, next: string, given: Shown) => rename(cli, { name, next }, given))
  program
    .command('set <name>')
    .description('change what parks a workload by itself ("never" for none), or its packages')
    .option('--idle <minutes>', 'when nothing happened for so long')
    .option('--limit <minutes>', 'when it has run for so long')
    .option('--park-at <cron>', 'at these times, five fields such as "0 20 * * 1-5"')
    .option('--time-zone <name>', 'of those times; otherwise the one of this computer')
    .option(
      '--require [package...]',
      'packages of a notebook that does not run, instead of those it has; none of them without a name',
    )
    .option('--json', 'as JSON')
    .action((name: string, given: SetOptions) => set(cli, name, given))
  program
    .command('look <name>')
    .description('keep what is left of a failed workload for a longer look')
    .option('--minutes <minutes>', 'from now', '60')
    .option('--json', 'as JSON')
    .action((name: string, given: Shown & { minutes: string }) => look(cli, name, given))
  program
    .command('export <name>')
    .description('print everything that is known of a workload as JSON')
    .action((name: string) => exportIt(cli, name))
  const share = program.command('share').description('with whom a workload is shared')
  share
    .command('ls <name>')
    .description('list them')
    .option('--json', 'as JSON')
    .action((name: string, given: Shown) => listShares(cli, name, given))
  share
    .command('set <name> <email> <level>')
    .description(`share it with a person, or "everyone": ${SHARE_LEVELS.join(', ')}`)
    .action((name: string, email: string, level: string) => setShare(cli, { name, email }, level))
  share
    .command('rm <name> <email>')
    .description('take that back')
    .action((name: string, email: string) => removeShare(cli, { name, email }))
}

async function rename(cli: Cli, { name, next }: { name: string; next: string }, { json }: Shown): Promise<void> {
  const { id } = await findWorkload(cli.api, name)
  show(await inFlags(FLAGS, cli.api.mutate('workloads', 'rename', { id, name: next })), json)
}

type SetOptions = Shown & { idle?: string; limit?: string; parkAt?: string; timeZone?: string; require?: string[] | true }

async function set(cli: Cli, name: string, given: SetOptions): Promise<void> {
  const { idle, limit, parkAt, timeZone, require, json } = given
  const hasSettings = [idle, limit, parkAt].some((option) => option !== undefined)
  if (!hasSettings && require === undefined)
    throw new Failure('nothing to change: --idle, --limit, --park-at or --require', { exitCode: 2 })
  const { id, settings: before } = await findWorkload(cli.api, name)
  const requirements = require === true ? [] : require
  const changed = requirements && (await inFlags(FLAGS, cli.api.mutate('workloads', 'setRequirements', { id, requirements })))
  if (changed && !hasSettings) return showSet(changed, json)
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const settings: WorkloadSettings = {
    idleMinutes: idle === undefined ? before.idleMinutes : minutes('--idle', idle),
    limitMinutes: limit === undefined ? before.limitMinutes : minutes('--limit', limit),
    parkAt: parkAt === undefined ? before.parkAt : parkAt === NEVER ? null : { cron: parkAt, timeZone: zone },
  }
  showSet(await inFlags(FLAGS, cli.api.mutate('workloads', 'setSettings', { id, settings })), json)
}
const NEVER = 'never'

function minutes(option: string, text: string): number | null {
  return text === NEVER ? null : whole(option, text)
}

/** What is now set, in one line; all of the workload as JSON. */
function showSet(workload: Workload, json: boolean | undefined): void {
  if (json) {
    printJson(workload)
    return
  }
  const { name, settings, spec } = workload
  const { idleMinutes, limitMinutes, parkAt } = settings
  const causes = [
    idleMinutes === null ? [] : `when nothing happened for ${counted(idleMinutes, 'minute')}`,
    limitMinutes === null ? [] : `when it has run for ${counted(limitMinutes, 'minute')}`,
    parkAt === null ? [] : `at ${parkAt.cron} (${parkAt.timeZone})`,
  ].flat()
  print(`${name}: ${causes.length === 0 ? 'nothing parks it by itself' : `parks ${causes.join(', ')}`}`)
  if (spec.requirements.length > 0) print(`${name}: packages ${spec.requirements.join(', ')}`)
}

async function look(cli: Cli, name: string, { minutes: given, json }: Shown & { minutes: string }): Promise<void> {
  const { id } = await findWorkload(cli.api, name)
  const asked = { id, minutes: whole('--minutes', given) }
  show(await inFlags(FLAGS, cli.api.mutate('workloads', 'extendLook', asked)), json)
}

async function exportIt(cli: Cli, name: string): Promise<void> {
  const { id } = await findWorkload(cli.api, name)
  printJson(await cli.api.query('workloads', 'export', { id }))
}

async function listShares(cli: Cli, name: string, { json }: Shown): Promise<void> {
  const { id } = await findWorkload(cli.api, name)
  const shares = await cli.api.query('shares', 'list', { workloadId: id })
  if (json) return printJson(shares)
  printTable(
    ['WITH', 'E-MAIL', 'LEVEL'],
    shares.map((share) => [share.name, share.email ?? EVERYONE, share.level]),
  )
}

type Whom = { name: string; email: string }
const EVERYONE = 'everyone'

async function setShare(cli: Cli, whom: Whom, level: string): Promise<void> {
  const known = SHARE_LEVELS.find((one) => one === level)
  if (!known) throw new Failure(`the level: ${SHARE_LEVELS.join(', ')}, not ${level}`, { exitCode: 2 })
  await cli.api.mutate('shares', 'set', { ...(await find(cli, whom)), level: known })
  print(`${whom.name}: ${whom.email} may ${known} it`)
}

async function removeShare(cli: Cli, whom: Whom): Promise<void> {
  await cli.api.mutate('shares', 'remove', await find(cli, whom))
  print(`${whom.name}: no longer shared with ${whom.email}`)
}

async function find(cli: Cli, { name, email }: Whom): Promise<{ workloadId: string; userId: string | null }> {
  const { id: workloadId } = await findWorkload(cli.api, name)
  if (email === EVERYONE) return { workloadId, userId: null }
  const members = await cli.api.query('members', 'list', undefined)
  const member = members.find((one) => one.email === email.toLowerCase())
  if (!member) throw new Failure(`nobody here has the e-mail ${email}`, { code: 'not_found' })
  return { workloadId, userId: member.userId }
}
