import { join } from 'node:path'
import { z } from 'zod'
import { OBSERVATION_CODES } from '@/protocol/sync'
import { readJsonFile } from '../../json-file'

const delayMs = z.int().min(0).max(600_000)

/** What a simulated instance does instead of running something. */
export const simScript = z.strictObject({
  startMs: delayMs.default(0),
  stopMs: delayMs.default(0),
  /** The start ends in `failed` with this code. */
  startFault: z.enum(OBSERVATION_CODES).nullable().default(null),
  /** The main process ends by itself that long after the start. */
  exitAfterMs: delayMs.nullable().default(null),
  exitCode: z.int().min(0).max(255).default(0),
})
export type SimScript = z.infer<typeof simScript>

/** `<data>/sim.json`: a script per runtime, and `default` for the others. Read at each start. */
const simFile = z.record(z.string().max(60), simScript)

/** The script of a runtime; without a file every start and stop succeeds at once. */
export async function readSimScript(dataDir: string, runtime: string): Promise<SimScript> {
  const scripts = await readJsonFile(join(dataDir, 'sim.json'), simFile)
  return scripts?.[runtime] ?? scripts?.default ?? simScript.parse({})
}
