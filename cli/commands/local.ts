import type { Command } from 'commander'
import { Failure } from '../failure'
import { print } from '../output'

/** What these commands do; the bundle brings it, the reference page does not need it. */
export type LocalActions = { setupLink: () => Promise<string | null>; setPassword: (email: string) => Promise<void> }

/**
 * Commands of this computer, which need no sign-in and no running Berth. `stop` and `service` stand here for their help:
 * `scripts/berth.mjs` answers them before any bundle is loaded.
 */
export function addLocal(program: Command, actions: LocalActions): Command[] {
  const elsewhere = () => {
    throw new Failure('this command is answered by `npm run berth`')
  }
  const setupLink = program
    .command('setup-link')
    .description('print a new link for the first account (15 minutes, once)')
    .action(() => printSetupLink(actions))
  const setPassword = program
    .command('set-password <email>')
    .description('give an account on this computer a new password; asks for it')
    .action((email: string) => actions.setPassword(email))
  const stop = program
    .command('stop')
    .description('end dashboard, controller and agent; sessions and notebooks live on')
    .option('--all', 'end everything of this data directory, and say what it was')
    .action(elsewhere)
  const service = program.command('service').description('start Berth at login (systemd user unit or launchd)')
  service.command('install').description('write the unit and start it').action(elsewhere)
  service.command('uninstall').description('stop that service and remove it; workloads live on').action(elsewhere)
  return [setupLink, setPassword, stop, service]
}

async function printSetupLink({ setupLink }: LocalActions): Promise<void> {
  const link = await setupLink()
  if (link === null) throw new Failure('an account exists already; set-up is closed')
  print(link)
}
