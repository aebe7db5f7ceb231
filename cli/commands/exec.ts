import type { Command } from 'commander'
import { KINDS } from '@/domain/kinds'
import type { Cli } from '../cli'
import { Failure } from '../failure'
import { findWorkload } from '../find-workload'
import { execIn } from '../terminal/exec'

/** `exec`: one command beside a session's terminal. */
export function addExec(program: Command, cli: Cli): void {
  program
    .command('exec <name> <command...>')
    .description("run one command in a session's sandbox, after --; its exit code becomes this one's")
    .action((name: string, command: string[]) => exec(cli, name, command))
}

async function exec(cli: Cli, name: string, command: string[]): Promise<void> {
  const { id, kind } = await findWorkload(cli.api, name)
  if (kind !== 'session') throw new Failure(`${name} is ${KINDS[kind].one}: only a session takes commands`)
  const { ticket } = await cli.api.mutate('workloads', 'ticket', { workloadId: id, purpose: 'exec' })
  process.exitCode = await execIn({ port: cli.port, ticket, command })
  process.stdin.destroy()
}
