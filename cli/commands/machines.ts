import type { Command } from 'commander'
import { counted } from '@/domain/reason'
import type { MachineView, OrphanView } from '@/domain/views'
import type { Cli, Shown } from '../cli'
import { Failure } from '../failure'
import { findMachine } from '../find-machine'
import { type Flags, inFlags } from '../flags'
import { age, print, printJson, printTable } from '../output'
import { ask } from '../prompt'

const FLAGS: Flags = { roots: 'the folders' }

/** `catalog`, `machine …` and `quarantine …`. */
export function addMachines(program: Command, cli: Cli): void {
  program
    .command('catalog')
    .description('list what can be started, and the sizes')
    .option('--json', 'as JSON')
    .action((given: Shown) => showCatalog(cli, given))
  const machine = program.command('machine').description('the machines that workloads run on')
  machine
    .command('ls')
    .description('list them, and what runs there that Berth does not know')
    .option('--json', 'as JSON')
    .action((given: Shown) => list(cli, given))
  machine
    .command('folders <machine> [folder...]')
    .description('allow workloads to mount these folders and what is below them, and no other')
    .action((name: string, folders: string[]) => setFolders(cli, name, folders))
  machine
    .command('trust <machine>')
    .description('let a suspect machine take work again')
    .action((name: string) => trust(cli, name))
  machine
    .command('gone <machine>')
    .description('say that a machine never comes back: what it ran is lost')
    .option('--yes', 'without asking')
    .action((name: string, given: { yes?: boolean }) => gone(cli, name, given))
  machine
    .command('adopt <machine> <placement>')
    .description('take into Berth what runs there and is not known')
    .action((name: string, placement: string) => decide(cli, 'adopt', { name, placement }))
  machine
    .command('end <machine> <placement>')
    .description('end what runs there and is not known')
    .action((name: string, placement: string) => decide(cli, 'stopOrphan', { name, placement }))
  program
    .command('quarantine')
    .description('say whether Berth is in quarantine')
    .option('--leave', 'let it act again')
    .action((given: { leave?: boolean }) => quarantine(cli, given))
}

async function showCatalog(cli: Cli, { json }: Shown): Promise<void> {
  const { runtimes, sizes, classes } = await cli.api.query('catalog', 'get', undefined)
  if (json) return printJson({ runtimes, sizes, classes })
  printTable(
    ['RUNTIME', 'KIND', 'SIZE', 'WHAT'],
    runtimes.map((one) => [one.id, one.kind, one.defaultSize, one.title]),
  )
  print('')
  printTable(
    ['SIZE', 'CPUS', 'MEMORY', 'DISK'],
    sizes.map((one) => [one.id, String(one.cpus), gib(one.memoryBytes), gib(one.diskBytes)]),
  )
}

async function list(cli: Cli, { json }: Shown): Promise<void> {
  const machines = await cli.api.query('machines', 'list', undefined)
  if (json) return printJson(machines)
  printTable(['MACHINE', 'STATE', 'CPUS', 'MEMORY', 'DISK', 'FOLDERS'], machines.map(rowOf))
  const orphans = machines.flatMap((machine) => machine.orphans.map((orphan) => orphanRow(machine, orphan)))
  if (orphans.length === 0) return
  print('\nRuns there, and is not known:')
  printTable(['MACHINE', 'PLACEMENT', 'WHAT', 'STATUS', 'SEEN', 'DECISION'], orphans)
}

function rowOf(machine: MachineView): string[] {
  const { name, inventory, used, mountRoots } = machine
  const of = (taken: number, all: number | undefined) => (all === undefined ? '–' : `${gib(taken)} of ${gib(all)}`)
  const reach = machine.isConnected ? 'connected' : 'unreachable'
  const state = machine.state === 'active' ? reach : `${machine.state}, ${reach}`
  const cpus = inventory ? `${used.cpus} of ${inventory.cpus}` : '–'
  const sizes = [of(used.memoryBytes, inventory?.memoryBytes), of(used.diskBytes, inventory?.diskBytes)]
  return [name, state, cpus, ...sizes, mountRoots.join(' ') || '–']
}

function orphanRow(machine: MachineView, { placementId, kind, name, status, firstSeenAt, decision }: OrphanView): string[] {
  return [machine.name, placementId, [kind, name].filter(Boolean).join(' ') || '–', status, age(firstSeenAt), decision ?? '–']
}

async function setFolders(cli: Cli, name: string, roots: string[]): Promise<void> {
  const { id } = await findMachine(cli.api, name)
  await inFlags(FLAGS, cli.api.mutate('machines', 'setMountRoots', { id, roots }))
  print(`${name}: ${roots.length === 0 ? 'no folder may be mounted' : `may mount ${roots.join(' ')}`}`)
}

async function trust(cli: Cli, name: string): Promise<void> {
  const { id } = await findMachine(cli.api, name)
  await cli.api.mutate('machines', 'clearSuspect', { id })
  print(`${name}: takes work again`)
}

async function gone(cli: Cli, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { id } = await findMachine(cli.api, name)
  if (!yes && !process.stdin.isTTY) throw new Failure('say --yes to give it up without being asked', { exitCode: 2 })
  if (!yes && !/^y(es)?$/i.test(await ask(`Is ${name} gone for good? What it ran is lost. [y/N] `)))
    throw new Failure('nothing was given up')
  const { lost } = await cli.api.mutate('machines', 'gone', { id })
  print(`${name}: given up; ${counted(lost, 'workload')} lost`)
}

async function decide(cli: Cli, verb: 'adopt' | 'stopOrphan', asked: { name: string; placement: string }): Promise<void> {
  const { id: machineId } = await findMachine(cli.api, asked.name)
  await cli.api.mutate('machines', verb, { machineId, placementId: asked.placement })
  print(`${asked.placement}: ${verb === 'adopt' ? 'adopted' : 'is being ended'}`)
}

async function quarantine(cli: Cli, { leave }: { leave?: boolean }): Promise<void> {
  if (leave) await cli.api.mutate('system', 'leaveQuarantine', undefined)
  const { isQuarantined } = await cli.api.query('system', 'info', undefined)
  print(isQuarantined ? 'Berth is in quarantine: it shows what it would do, and does nothing' : 'Berth is not in quarantine')
}

function gib(bytes: number): string {
  return `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`
}
