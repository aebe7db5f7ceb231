import path from 'node:path'
import { type Settings, settings } from '@/domain/settings'
import { parseSettings } from '@/kit/settings'

/** Variables that begin like ours and are not settings of the controller. */
const ALSO_KNOWN: readonly string[] = ['BERTH_STANDALONE', 'BERTH_TEST_PG']

/** The settings of the controller's process. Throws one sentence that names the variable and its limit. */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  return parseSettings(settings, environment, { prefix: 'BERTH_', alsoKnown: ALSO_KNOWN })
}

/** Files and sockets that follow from the settings. */
export function pathsOf({ BERTH_CATALOG, BERTH_HOME, BERTH_ROOT, BERTH_RUNTIME_DIR }: Settings) {
  return {
    catalog: BERTH_CATALOG ?? path.join(BERTH_ROOT, 'catalog/catalog.yaml'),
    /** Where local agents dial in; 0600. */
    agentsSocket: path.join(BERTH_RUNTIME_DIR, 'agents.sock'),
    authorityKey: path.join(BERTH_HOME, 'keys/ca.key'),
    agentProgram: path.join(BERTH_ROOT, 'dist/agent.mjs'),
  }
}
