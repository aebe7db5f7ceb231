import { z } from 'zod'
import { runCommand } from '../sandbox/run-command'

const answer = z.looseObject({ registry: z.string().optional(), cafile: z.string().nullish() })
const ASK_MS = 20_000

export type NpmConfig = { registry: string; certificates: string | null; scoped: Record<string, string> }

/** What npm is configured with on this machine; null when there is no npm. */
export async function readNpmConfig(environment: Record<string, string>): Promise<NpmConfig | null> {
  const { code, stdout } = await runCommand(['npm', 'config', 'list', '--json'], { environment, timeoutMs: ASK_MS })
  if (code !== 0) return null
  const values = answer.parse(JSON.parse(stdout))
  if (!values.registry) return null
  const scoped = Object.entries(values).filter(
    (entry): entry is [string, string] => /^@[\w.-]+:registry$/.test(entry[0]) && typeof entry[1] === 'string',
  )
  return { registry: values.registry, certificates: values.cafile ?? null, scoped: Object.fromEntries(scoped) }
}
