import { hostname } from 'node:os'
import type { Command } from 'commander'
import { LIMITS } from '@/domain/limits'
import { isToken, SCOPES, type Scope } from '@/domain/tokens'
import { Api, type Output } from '../api'
import type { Cli, Shown } from '../cli'
import { writeToken } from '../config'
import { Failure } from '../failure'
import { type Flags, inFlags } from '../flags'
import { print, printJson, printTable, tell } from '../output'
import { ask, askSecret } from '../prompt'

/** `login`, `logout` and `token …`. */
export function addAccess(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('sign in on this computer: asks for e-mail and password, or for a token')
    .option('--email <address>', 'instead of asking for it')
    .option('--token', 'ask for an API token (or read it from standard input) instead of a password')
    .action((given: { email?: string; token?: boolean }) => (given.token ? loginByToken(cli) : loginByPassword(cli, given.email)))
  program
    .command('logout')
    .description('end the token that login made and forget it')
    .action(() => logout(cli))
  const token = program.command('token').description('API tokens of your own')
  token
    .command('create <name>')
    .description('make a token, shown once; asks for your password')
    .option('--scope <scope...>', `what it may do: ${SCOPES.join(', ')}; each includes those before it`, ['read'])
    .option('--days <days>', `how long it lives, at most ${LIMITS.apiTokenDaysMax}`, String(LIMITS.apiTokenDays))
    .option('--email <address>', 'instead of asking for it')
    .option('--json', 'as JSON')
    .action((name: string, given: TokenOptions) => createToken(cli, name, given))
  token
    .command('ls')
    .description('list your tokens')
    .option('--json', 'as JSON')
    .action((given: Shown) => listTokens(cli, given))
  token
    .command('revoke <token>')
    .description('end a token, by its name, its id or its last four characters')
    .action((id: string) => revokeToken(cli, id))
}

const FLAGS: Flags = { name: 'the name', scopes: '--scope', days: '--days' }
type TokenOptions = Shown & { scope: string[]; days: string; email?: string }

async function loginByPassword(cli: Cli, email: string | undefined): Promise<void> {
  const name = `berth on ${hostname()}`.slice(0, LIMITS.apiTokenNameChars)
  const { token } = await signIn(cli, { email, name, scopes: [...SCOPES], days: LIMITS.apiTokenDays })
  await keep(cli, token)
}

async function loginByToken(cli: Cli): Promise<void> {
  const token = (await askSecret('API token: ')).trim()
  if (!isToken('apiToken', token)) throw new Failure('this is not an API token: it begins with berth_pat_ and has 59 characters')
  await keep(cli, token)
}

async function keep(cli: Cli, token: string): Promise<void> {
  const me = await new Api({ port: cli.port, token }).query('me', 'get', undefined)
  writeToken(cli.configFile, cli.port, token)
  print(`signed in as ${me.name} (${me.email})`)
  if (cli.isTokenGiven) tell('BERTH_TOKEN is set and goes before what was kept now')
}

async function signIn(
  cli: Cli,
  asked: { email: string | undefined; name: string; scopes: Scope[]; days: number },
): Promise<Output<'tokens', 'signIn'>> {
  const email = asked.email ?? (await ask('E-mail: '))
  const password = await askSecret('Password: ')
  return new Api({ port: cli.port, token: null }).mutate('tokens', 'signIn', { ...asked, email, password })
}

async function logout(cli: Cli): Promise<void> {
  if (cli.isTokenGiven) throw new Failure('BERTH_TOKEN is set: unset it, or end it with `token revoke`')
  const failure = await cli.api.mutate('tokens', 'end', undefined).then(
    () => null,
    (error: unknown) => error,
  )
  writeToken(cli.configFile, cli.port, null)
  if (failure instanceof Failure && failure.code === 'unauthenticated') return print('signed out')
  if (failure) throw failure
  print('signed out')
}

async function createToken(cli: Cli, name: string, { scope, days, email, json }: TokenOptions): Promise<void> {
  const scopes = SCOPES.filter((known) => scope.includes(known))
  const unknown = scope.find((text) => !SCOPES.some((known) => known === text))
  if (unknown !== undefined) throw new Failure(`--scope: ${SCOPES.join(', ')}, not ${unknown}`, { exitCode: 2 })
  if (!/^\d+$/.test(days)) throw new Failure('--days: a whole number', { exitCode: 2 })
  const made = await inFlags(FLAGS, signIn(cli, { email, name, scopes, days: Number(days) }))
  if (json) return printJson(made)
  tell('shown once; keep it where others cannot read it')
  print(made.token)
}

async function listTokens(cli: Cli, { json }: Shown): Promise<void> {
  const rows = await cli.api.query('tokens', 'list', undefined)
  if (json) return printJson(rows)
  const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '–'
  const state = (row: (typeof rows)[number]) => {
    if (row.revokedAt) return 'revoked'
    return row.expiresAt.getTime() <= Date.now() ? 'expired' : row.isCurrent ? 'this one' : 'lives'
  }
  printTable(
    ['NAME', 'ENDS IN', 'SCOPES', 'MADE', 'EXPIRES', 'LAST USED', 'STATE', 'ID'],
    rows.map((row) => [
      ...[row.name, row.lastFour, row.scopes.join(' '), day(row.createdAt), day(row.expiresAt), day(row.lastUsedAt)],
      ...[state(row), row.id],
    ]),
  )
}

async function revokeToken(cli: Cli, id: string): Promise<void> {
  const living = (await cli.api.query('tokens', 'list', undefined)).filter((row) => row.revokedAt === null)
  const [found, ...more] = living.filter((row) => [row.id, row.lastFour, row.name].includes(id))
  if (!found) throw new Failure(`you have no living token ${id}`, { code: 'not_found' })
  if (more.length > 0) throw new Failure(`more than one token is called or ends in ${id}; name it by its id`)
  await cli.api.mutate('tokens', 'revoke', { id: found.id })
  print(`${found.name}: revoked`)
}
