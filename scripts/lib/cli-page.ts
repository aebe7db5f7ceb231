import type { Command } from 'commander'
import { Api } from '../../cli/api'
import { createProgram } from '../../cli/program'

/** Commands that need no running Berth; they are answered by this computer itself. */
const LOCAL = [
  ['setup-link', 'print a new link for the first account (15 minutes, once)'],
  ['set-password <email>', 'give an account on this computer a new password; asks for it'],
  ['stop', 'end dashboard, controller and agent; sessions and notebooks live on'],
  ['stop --all', 'end everything of this data directory, and say what it was'],
  ['service install', 'start Berth at login (systemd user unit or launchd)'],
  ['service uninstall', 'stop that service and remove it; workloads live on'],
] as const

/** The reference page of the command line, from the commands themselves. */
export function cliPage(): string {
  const api = new Api({ port: 7480, token: null })
  const program = createProgram({ port: 7480, api, configFile: '', isTokenGiven: false })
  const rows = program.commands.flatMap((command) => rowsOf(command, ''))
  const local = LOCAL.map(([name, text]) => `| \`${name}\` | ${text} |`)
  return `# Command line

\`npm run berth -- <command>\`. Sign in once with \`login\`; names are those of your own workloads. Exit codes: 0 done, 1 refused, 2 not
understood. \`BERTH_TOKEN\` goes before what login kept.

| command | does | options |
| --- | --- | --- |
${rows.join('\n')}

While attached, each after Ctrl-]: \`d\` detaches, \`t\` takes control, \`r\` gives it back, Ctrl-] sends itself.

## On this computer, without signing in

| command | does |
| --- | --- |
${local.join('\n')}
`
}

function rowsOf(command: Command, parent: string): string[] {
  const name = `${parent}${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap((inner) => rowsOf(inner, `${name} `))
  const words = command.registeredArguments.map((a) => (a.required ? `<${a.name()}>` : `[${a.name()}${a.variadic ? '...' : ''}]`))
  const options = command.options.map((o) => `\`${o.flags}\` ${o.description}`).join('<br>')
  return [`| \`${[name, ...words].join(' ')}\` | ${cell(command.description())} | ${cell(options)} |`]
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
