import type { Command } from 'commander'
import { KINDS } from '@/domain/kinds'
import { reasonText } from '@/domain/reasons'
import { refusedLine } from '@/domain/refused-line'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import type { ServerMessage } from '@/protocol/terminal'
import type { Cli } from '../cli'
import { Failure } from '../failure'
import { findWorkload } from '../find-workload'
import { tell } from '../output'
import { TerminalConnection } from '../terminal/connection'
import { EscapeKeys } from '../terminal/escape-keys'
import { Screen } from '../terminal/screen'

const HELP = `
Keys while attached, each after Ctrl-]:
  d        detach; the session goes on
  t        take control from who has it
  r        give control back and watch
  Ctrl-]   send one Ctrl-] to the program`

type AttachOptions = { view?: boolean; take?: boolean; wait: boolean }
/** Codes after which a new ticket would not be given either. */
const FINAL = ['unauthenticated', 'forbidden', 'not_found', 'wrong_state', 'invalid']
const STARTING: readonly State[] = ['queued', 'provisioning']
const LOOK_MS = 500

/** `attach`: a session in the person's own terminal. */
export function addAttach(program: Command, cli: Cli): void {
  program
    .command('attach <name>')
    .description('go to a session in this terminal; Ctrl-] d detaches')
    .option('--view', 'only watch')
    .option('--take', 'take control from who has it')
    .option('--no-wait', 'refuse one that does not run yet instead of waiting for it')
    .addHelpText('after', HELP)
    .action((name: string, given: AttachOptions) => attach(cli, name, given))
}

async function attach(cli: Cli, name: string, given: AttachOptions): Promise<void> {
  if (given.view && given.take) throw new Failure('--view and --take exclude each other', { exitCode: 2 })
  const found = await findWorkload(cli.api, name)
  if (found.kind !== 'session') throw new Failure(`${name} is ${KINDS[found.kind].one}: \`npm run berth -- open ${name}\``)
  const workload = await running(cli, found, given.wait)
  const screen = new Screen()
  const connection = connect(cli, workload, { screen, given })
  const keys = new EscapeKeys()
  screen.begin({
    keys: (chunk) => {
      for (const typed of keys.read(chunk)) obey(connection, typed)
    },
    // A pipe that ends has said all that it has to say; a terminal that ends is gone.
    end: () => process.stdin.isTTY && connection.leave(),
    size: () => connection.resize(screen.size),
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => connection.leave())
  const ended = await connection.ended.finally(() => screen.end())
  if (ended === 'left') return tell(`\r\n[detached from ${name}; it goes on]`)
  if ('error' in ended) throw ended.error
  tell(`\r\n[the program of ${name} ended${ended.exitCode === null ? '' : ` with ${ended.exitCode}`}]`)
}

/** Waits for a workload that is about to run, and says what it waits for. Throws one sentence for every other. */
async function running(cli: Cli, workload: WorkloadView, isWaiting: boolean): Promise<WorkloadView> {
  let said = ''
  for (let now = workload; ; now = await cli.api.query('workloads', 'get', { id: workload.id })) {
    if (now.state === 'running') return now
    if (!isWaiting || !STARTING.includes(now.state))
      throw new Failure(`${now.name} is ${now.state}${now.state === 'parked' ? '; `resume` starts it again' : ''}`)
    const why = now.reason ? reasonText(now.reason) : now.state
    if (why !== said) tell(`${now.name}: ${why}`)
    said = why
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

function connect(cli: Cli, workload: WorkloadView, at: { screen: Screen; given: AttachOptions }): TerminalConnection {
  const { screen, given } = at
  const purpose = given.view || !workload.may.includes('workload.open') ? 'terminal-view' : 'terminal-control'
  const ask = { workloadId: workload.id, purpose } as const
  let isConnected = true
  return new TerminalConnection({
    port: cli.port,
    mode: purpose === 'terminal-view' ? 'view' : 'control',
    isTaking: given.take ?? false,
    size: screen.size,
    ticket: async () => (await cli.api.mutate('workloads', 'ticket', ask)).ticket,
    isFinal: (error) => error instanceof Failure && error.code !== null && FINAL.includes(error.code),
    draw: (bytes, isScreen, drawn) => screen.draw(bytes, isScreen, drawn),
    hear: (message) => hear(screen, message, given),
    reach: (isNow) => {
      if (isNow !== isConnected) screen.say(isNow ? 'connected again' : 'connection lost; trying again, Ctrl-] d leaves')
      isConnected = isNow
    },
  })
}

function hear(screen: Screen, message: ServerMessage, given: AttachOptions): void {
  if (message.type === 'attached' && message.mode === 'view' && !given.view && !given.take)
    screen.say('somebody else types here; you watch, Ctrl-] t takes control')
  if (message.type === 'control_changed') screen.say(message.mode === 'control' ? 'you type now' : 'you watch now')
  if (message.type === 'gap') screen.say(`${message.to - message.from} bytes are no longer kept`)
  if (message.type === 'notice') screen.say(refusedLine(message.reason) ?? reasonText(message.reason))
}

function obey(connection: TerminalConnection, typed: ReturnType<EscapeKeys['read']>[number]): void {
  if (typed.kind === 'bytes') connection.type(typed.bytes)
  if (typed.kind === 'take') connection.take()
  if (typed.kind === 'release') connection.release()
  if (typed.kind === 'detach') connection.leave()
}
