import { Command, CommanderError } from 'commander'
import type { Cli } from './cli'
import { addAccess } from './commands/access'
import { addAttach } from './commands/attach'
import { addChange } from './commands/change'
import { addExec } from './commands/exec'
import { addMachines } from './commands/machines'
import { addNew } from './commands/new'
import { addRead } from './commands/read'
import { addWorkloads } from './commands/workloads'
import { Failure } from './failure'
import { tell } from './output'
import { closePrompts } from './prompt'

const HELP = `
Names are those of your own workloads. Lists and objects are printed as JSON with --json; \`npm run -s berth -- …\`
keeps npm's own lines out of it. Exit codes: 0 done, 1 refused, 2 not understood. BERTH_TOKEN goes before what login kept.`

/** Every command that talks to a running Berth. */
export function createProgram(cli: Cli): Command {
  const program = new Command('berth').description('Berth from the command line.').addHelpText('after', HELP)
  addAccess(program, cli)
  addWorkloads(program, cli)
  addNew(program, cli)
  addAttach(program, cli)
  addExec(program, cli)
  addRead(program, cli)
  addChange(program, cli)
  addMachines(program, cli)
  return program
}

/** Runs one command line; returns the exit code, of `exec` its command's. A failure is one sentence on standard error. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  for (const command of everyCommand(program)) command.exitOverride()
  try {
    await program.parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    tell(`berth: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof Failure ? error.exitCode : 1
  } finally {
    closePrompts()
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
