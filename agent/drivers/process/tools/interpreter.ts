import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runCommand } from '../sandbox/run-command'

/** A Python that a sandbox can run: its real file lies in the system part that every sandbox sees. */
export type Interpreter = { path: string; version: string; hasVenv: boolean }

const FOLDERS = ['/usr/bin', '/usr/local/bin']
/** Oldest minor version of Python 3 that a kernel or a server may have. */
export const MINOR_MIN = 11
/** Fixed text: the interpreter says of itself what is asked for here. */
const ASK = `import importlib.util, json, platform
print(json.dumps({"version": platform.python_version(), "venv": all(importlib.util.find_spec(m) for m in ("venv", "ensurepip"))}))`
const answer = z.object({ version: z.string().regex(/^3\.\d+\.\d+/), venv: z.boolean() })

/** The newest Python of the system that can make environments, or that a faster installer can use; null when there is none. */
export async function findInterpreter(): Promise<Interpreter | null> {
  const found: Interpreter[] = []
  for (const path of candidates()) {
    const { code, stdout } = await runCommand([path, '-I', '-c', ASK])
    const parsed = code === 0 ? answer.safeParse(JSON.parse(stdout)) : null
    if (parsed?.success && minorOf(parsed.data.version) >= MINOR_MIN)
      found.push({ path, version: parsed.data.version, hasVenv: parsed.data.venv })
  }
  const [best] = found.sort((a, b) => Number(b.hasVenv) - Number(a.hasVenv) || minorOf(b.version) - minorOf(a.version))
  return best ?? null
}

/** Real files only: a shim in a home folder leads to a Python that no sandbox can see. */
function candidates(): string[] {
  const paths = FOLDERS.flatMap((folder) => names(folder).map((name) => join(folder, name)))
  const real = paths.map(realOf).filter((path) => path.startsWith('/usr/'))
  return [...new Set(real)]
}

/** Empty for a link that leads nowhere. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : ''
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^python3(\.\d+)?$/.test(name))
  } catch {
    return [] // No such folder here.
  }
}

/** 11 of 3.11.2. */
export function minorOf(version: string): number {
  return Number(version.split('.')[1])
}
