import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import type { LocalInstance } from '../drivers/driver'
import { openDriver } from '../drivers/open-driver'
import type { Offers } from '../inventory/inventory'

/** What it prints. */
export type Said = Pick<Offers, 'drivers' | 'runtimes' | 'enforces'> & { seen: LocalInstance[] }

// As on another system: its name, and none of the kernel's files (the caller hides them). Prints what is offered there.
Object.defineProperty(process, 'platform', { value: 'darwin' })
const [root = ''] = process.argv.slice(2)
const log = createLog('agent', { level: 'error' })
const deps = { dataDir: `${root}/d`, runtimeDir: `${root}/r`, codeDir: `${root}/c`, bootId: 'boot', log, clock: systemClock }
const { driver, offers } = await openDriver('process', deps)
const { drivers, runtimes, enforces } = await offers()
const seen = await driver.observe(AbortSignal.timeout(60_000))
process.stdout.write(JSON.stringify({ drivers, runtimes, enforces, seen } satisfies Said))
