import { type Settings, settings } from '@/domain/settings'
import { parseSettings } from '@/kit/settings'

/** Kinds of driver that an agent can have. */
export type DriverKind = 'process' | 'sim'

/** Variables that begin like ours and are not settings of the agent. */
const ALSO_KNOWN: readonly string[] = ['BERTH_STANDALONE', 'BERTH_TEST_PG']

/** The settings of the agent's process. Throws one sentence that names the variable and its limit. */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  return parseSettings(settings, environment, { prefix: 'BERTH_', alsoKnown: ALSO_KNOWN })
}

/** The drivers that this agent offers, in the order of the setting. */
export function driverKinds({ BERTH_DRIVERS }: Pick<Settings, 'BERTH_DRIVERS'>): readonly DriverKind[] {
  const asked = BERTH_DRIVERS.split(',')
  return KINDS.filter((kind) => asked.includes(kind))
}
const KINDS: readonly DriverKind[] = ['process', 'sim']
