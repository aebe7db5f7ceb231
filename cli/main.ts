import { Command } from 'commander'
import { settings } from '@/domain/settings'
import { systemClock } from '@/kit/clock'
import { parseSettings } from '@/kit/settings'
import { mintSetupLink } from '@/server/auth/setup'
import { closeDb, initDb } from '@/server/store/shared'
import { databaseUrl } from '@/server/store/url'

const program = new Command('berth').description('Berth from the command line.').showHelpAfterError()

program
  .command('setup-link')
  .description('print a new link for the first account (15 minutes, once)')
  .action(async () => {
    const parsed = parseSettings(settings, process.env, { prefix: 'BERTH_', alsoKnown: [] })
    const db = await initDb(databaseUrl(parsed))
    try {
      const minted = await mintSetupLink({ db, clock: systemClock, port: parsed.BERTH_PORT })
      console.log(minted?.link ?? 'an account exists already; set-up is closed')
    } finally {
      await closeDb()
    }
  })

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
