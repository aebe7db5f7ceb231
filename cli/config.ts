import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { Failure } from './failure'

/** What `login` keeps: a token for each Berth of this computer, by its port. */
const kept = z.object({ tokens: z.record(z.string(), z.string()) })

/** `berth/cli.json` in the person's configuration directory. */
export function configFile(environment: Record<string, string | undefined> = process.env): string {
  return path.join(environment.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'berth', 'cli.json')
}

/** The token for the Berth on this port, or null. Throws one sentence when the file cannot be read. */
export function readToken(file: string, port: number): string | null {
  return read(file)[port] ?? null
}

/** Keeps a token, or forgets it when null. The file is its owner's alone (0600), written whole. */
export function writeToken(file: string, port: number, token: string | null): void {
  const { [String(port)]: _, ...others } = read(file)
  const tokens = token === null ? others : { ...others, [port]: token }
  if (Object.keys(tokens).length === 0) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ tokens }, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

function read(file: string): Record<string, string> {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8'))).tokens
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read; remove it and sign in again`, { cause })
  }
}
