import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { clip } from './text'

const run = promisify(execFile)
const TOOLS = ['python3', 'uv', 'bwrap', 'git', 'node'] as const

/** Versions of the programs that workloads need; what is not installed is absent. */
export async function readTools(): Promise<Record<string, string>> {
  const found = await Promise.all(TOOLS.map(async (tool) => ({ tool, version: await versionOf(tool) })))
  return Object.fromEntries(found.flatMap(({ tool, version }) => (version === null ? [] : [[tool, clip(version)]])))
}

async function versionOf(tool: string): Promise<string | null> {
  try {
    const { stdout } = await run(tool, ['--version'], { timeout: 5000, maxBuffer: 65_536 })
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown'
  } catch {
    return null // not installed, or it does not start: then it is not there
  }
}
