import path from 'node:path'
import { type Settings, settings } from '@/domain/settings'
import { parseSettings } from '@/kit/settings'

/** Variables that begin like ours and are not settings. */
const ALSO_KNOWN: readonly string[] = ['BERTH_STANDALONE', 'BERTH_TEST_PG']

/** The settings of the web process. Throws one sentence that names the variable and its limit. */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  return parseSettings(settings, environment, { prefix: 'BERTH_', alsoKnown: ALSO_KNOWN })
}

/** The catalog to load: the one that was set, or the shipped one. */
export function catalogFile({ BERTH_CATALOG, BERTH_ROOT }: Settings): string {
  return BERTH_CATALOG ?? path.join(BERTH_ROOT, 'catalog/catalog.yaml')
}
