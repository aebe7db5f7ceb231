import { Command } from 'commander'
import { Api } from '../../cli/api'
import { addLocal } from '../../cli/commands/local'
import { createProgram } from '../../cli/program'

/** The reference page of the command line, from the commands themselves. */
export function cliPage(): string {
  const api = new Api({ port: 7480, token: null })
  const program = createProgram({ port: 7480, api, configFile: '', isTokenGiven: false })
  const rows = program.commands.flatMap((command) => rowsOf(command, ''))
  const local = addLocal(new Command('berth'), { setupLink: async () => null, setPassword: async () => undefined })
  return `# Command line

\`npm run berth -- <command>\`. Sign in once with \`login\`; names are those of your own workloads. Exit codes: 0 done, 1 refused, 2 not
understood. \`BERTH_TOKEN\` goes before what login kept. For another program to read, \`npm run -s berth -- <command> --json\`: without
\`-s\` npm prints two lines of its own first.

| command | does | options |
| --- | --- | --- |
${rows.join('\n')}

While attached, each after Ctrl-]: \`d\` detaches, \`t\` takes control, \`r\` gives it back, Ctrl-] sends itself.

## On this computer, without signing in

| command | does | options |
| --- | --- | --- |
${local.flatMap((command) => rowsOf(command, '')).join('\n')}
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
