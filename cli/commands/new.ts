import type { Command } from 'commander'
import type { Catalog, Size } from '@/domain/catalog'
import type { Mount } from '@/domain/mounts'
import type { Cli, Shown } from '../cli'
import { Failure } from '../failure'
import { findMachine } from '../find-machine'
import { type Flags, inFlags } from '../flags'
import { tell } from '../output'
import { show } from './workloads'

type NewOptions = Shown & {
  name?: string
  runtime?: string
  size?: string
  cpus?: string
  memory?: string
  disk?: string
  gpu?: string
  fallbacks?: boolean
  machine?: string
  mount: string[]
  require: string[]
  command: string[]
  python?: string
  idle?: string
}
type Kind = 'notebook' | 'session'
const FLAGS: Flags = {
  name: '--name',
  'spec.runtime': '--runtime',
  'spec.cpus': '--cpus',
  'spec.memoryBytes': '--memory',
  'spec.diskBytes': '--disk',
  'spec.gpu': '--gpu',
  'spec.machineId': '--machine',
  'spec.command': 'the command',
  'spec.requirements': '--require',
  'spec.mounts': '--mount',
  'spec.python': '--python',
  'settings.idleMinutes': '--idle',
}

/** `new notebook` and `new session`. */
export function addNew(program: Command, cli: Cli): void {
  const create = program.command('new').description('start something new')
  common(create.command('notebook').description('a JupyterLab'))
    .option('--require <package...>', 'packages of its kernel, such as "numpy>=2"', [])
    .option('--python <path>', 'an existing interpreter of the machine as its kernel')
    .action((given: NewOptions) => start(cli, 'notebook', { ...given, command: [] }))
  common(create.command('session').description('a terminal that goes on without you'))
    .argument('[command...]', 'instead of a login shell, after --')
    .action((command: string[], given: NewOptions) => start(cli, 'session', { ...given, require: [], command }))
}

function common(command: Command): Command {
  return command
    .option('--name <name>', 'a name of your own; otherwise one is made up')
    .option('--runtime <id>', 'of the catalog (`catalog` lists them)')
    .option('--size <id>', 'of the catalog')
    .option('--cpus <count>', 'CPUs')
    .option('--memory <size>', 'memory, such as 4G or 512M')
    .option('--disk <size>', 'disk, such as 10G')
    .option('--gpu <class>', 'a GPU class of the catalog, or "any"; class:2 asks for two')
    .option('--fallbacks', 'the fallbacks of that class will do')
    .option('--machine <name>', 'this machine and no other')
    .option('--mount <path...>', 'a folder of the machine, read-only; path:rw to write', [])
    .option('--idle <minutes>', 'park when nothing happened for so long')
    .option('--json', 'as JSON')
}

async function start(cli: Cli, kind: Kind, given: NewOptions): Promise<void> {
  const catalog = await cli.api.query('catalog', 'get', undefined)
  const runtime = catalog.runtimes.find((known) => known.kind === kind && (given.runtime ?? known.id) === known.id)
  if (!runtime) throw usage('--runtime', `no ${kind} of the catalog is called ${given.runtime ?? kind}`)
  const size = sizeOf(catalog, given.size ?? runtime.defaultSize)
  const asked = {
    kind,
    name: given.name ?? '',
    spec: {
      runtime: runtime.id,
      cpus: given.cpus === undefined ? size.cpus : whole('--cpus', given.cpus),
      memoryBytes: given.memory === undefined ? size.memoryBytes : bytes('--memory', given.memory),
      diskBytes: given.disk === undefined ? size.diskBytes : bytes('--disk', given.disk),
      gpu: gpuOf(given),
      machineId: given.machine === undefined ? null : (await findMachine(cli.api, given.machine)).id,
      command: given.command.length === 0 ? null : given.command,
      requirements: given.require,
      mounts: given.mount.map(mountOf),
      python: given.python ?? null,
    },
    ...(given.idle === undefined ? {} : { settings: { idleMinutes: whole('--idle', given.idle) } }),
  }
  const workload = await inFlags(FLAGS, cli.api.mutate('workloads', 'create', asked))
  show(workload, given.json)
  if (process.stdout.isTTY && !given.json)
    tell(`\`npm run berth -- ${kind === 'session' ? 'attach' : 'open'} ${workload.name}\` goes there`)
}

function sizeOf({ sizes }: Catalog, id: string): Size {
  const size = sizes.find((known) => known.id === id)
  if (!size) throw usage('--size', `${sizes.map((known) => known.id).join(', ')}, not ${id}`)
  return size
}

function gpuOf({ gpu, fallbacks = false }: NewOptions) {
  if (gpu === undefined) return null
  const [name, count = '1'] = gpu.split(':')
  return { class: name === 'any' || !name ? null : name, count: whole('--gpu', count), allowFallbacks: fallbacks }
}

/** `path`, `path:ro` or `path:rw`. */
export function mountOf(text: string): Mount {
  const [, path = '', mode = 'ro'] = /^(.*?)(?::(ro|rw))?$/s.exec(text) ?? []
  return { path, mode: mode === 'rw' ? 'rw' : 'ro' }
}

/** `512M`, `4G`, `4GiB`, `1.5T`: powers of 1024. */
export function bytes(option: string, text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text) ?? []
  if (amount === undefined) throw usage(option, 'a size such as 512M or 4G')
  return Math.round(Number(amount) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase()))
}

/** A whole number of an option. */
export function whole(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw usage(option, 'a whole number')
  return Number(text)
}

function usage(option: string, limit: string): Failure {
  return new Failure(`${option}: ${limit}`, { exitCode: 2 })
}
