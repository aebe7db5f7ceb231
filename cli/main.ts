import { settings } from '@/domain/settings'
import { parseSettings } from '@/kit/settings'
import type { Runtime } from '@/server/auth/runtime'
import { Api } from './api'
import { addLocal } from './commands/local'
import { configFile, readToken } from './config'
import { print, tell } from './output'
import { createProgram, runProgram } from './program'
import { askSecret } from './prompt'

// Who reads less than all of it, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const parsed = parseSettings(settings, process.env, { prefix: 'BERTH_', alsoKnown: [] })
    const { BERTH_PORT: port, BERTH_TOKEN: given } = parsed
    const file = configFile()
    const api = new Api({ port, token: given ?? readToken(file, port), isTokenGiven: given !== undefined })
    const program = createProgram({ port, api, configFile: file, isTokenGiven: given !== undefined })
    addLocal(program, {
      setupLink: () => newSetupLink(parsed),
      setPassword: (email) => setNewPassword(parsed, email),
    })
    return await runProgram(program, process.argv)
  } catch (error) {
    tell(`berth: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  }
}

type Parsed = ReturnType<typeof parseSettings<typeof settings>>

/** Talks to the database itself: nobody can be signed in yet. */
async function newSetupLink(parsed: Parsed): Promise<string | null> {
  let link: string | null = null
  const { mintSetupLink } = await import('@/server/auth/setup')
  await withStore(parsed, async (deps) => {
    const minted = await mintSetupLink({ ...deps, port: parsed.BERTH_PORT })
    link = minted?.link ?? null
  })
  return link
}

/** The same, for who forgot a password or has been made to wait: the way in that nobody else can close. */
async function setNewPassword(parsed: Parsed, email: string): Promise<void> {
  const { resetPassword } = await import('@/server/auth/account')
  const password = await askSecret('New password: ')
  await withStore(parsed, async (deps) => {
    const { revoked } = await resetPassword(deps, { email, password })
    print(`${email} has a new password; ${revoked} sign-ins ended`)
  })
}

/** The store of this computer's Berth, loaded for those commands alone. */
async function withStore(parsed: Parsed, work: (deps: Pick<Runtime, 'db' | 'clock'>) => Promise<void>): Promise<void> {
  const { systemClock } = await import('@/kit/clock')
  const { closeDb, initDb } = await import('@/server/store/shared')
  const { databaseUrl } = await import('@/server/store/url')
  const db = await initDb(databaseUrl(parsed))
  try {
    await work({ db, clock: systemClock })
  } finally {
    await closeDb()
  }
}
