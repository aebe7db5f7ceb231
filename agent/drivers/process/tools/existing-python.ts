import { access, constants } from 'node:fs/promises'
import { z } from 'zod'
import { StartRefused } from '../../deps'
import { allowedFolder, type FolderRules } from '../mounts/allowed-folder'
import { mayUse, permissionHelp } from '../mounts/may-use'
import type { SandboxBind } from '../sandbox/bwrap-arguments'
import { runCommand } from '../sandbox/run-command'
import { runOnce } from '../sandbox/run-once'
import { sandboxEnvironment } from '../sandbox/sandbox-environment'
import { MINOR_MIN, minorOf } from './interpreter'
import { pythonPrefixes } from './python-prefixes'

/** A Python of the workload's owner that is to be the kernel. `binds`: what it needs to be itself, read-only, where it lies. */
export type ExistingPython = { path: string; version: string; binds: SandboxBind[] }
export type PythonAsk = {
  path: string
  rules: FolderRules
  isRoot: boolean
  /** Of the sandbox; null: the agent's own user. */
  uid: number | null
  isSandboxed: boolean
}

const CHECK_MS = 30_000
/** Fixed text. Without ipykernel it says so; whatever else it prints is no answer. */
const ASK = `import importlib.util, json, platform
print(json.dumps({"version": platform.python_version(), "ipykernel": importlib.util.find_spec("ipykernel") is not None}))`
const answer = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+/), ipykernel: z.boolean() })

/** Resolves and judges it, and runs it once as it will run. Rejects with `python_unusable`; the message says what is missing. */
export async function existingPython(ask: PythonAsk): Promise<ExistingPython> {
  const { path } = ask
  await access(path, constants.X_OK).catch(() => {
    throw unusable(path, 'it is not there, or no program', null)
  })
  const prefixes = await pythonPrefixes(path)
  if (prefixes === null)
    throw unusable(path, 'it does not lie in a folder bin of an environment', 'name the bin/python of the environment itself')
  const binds = await Promise.all(prefixes.map((prefix) => bindOf(prefix, ask)))
  const found = await runs(ask, binds)
  if (found === null)
    throw unusable(
      path,
      'it does not run here',
      'name the bin/python of a venv or conda environment whose folders every user may read',
    )
  if (!found.version.startsWith('3.') || minorOf(found.version) < MINOR_MIN)
    throw unusable(path, `it is Python ${found.version}; 3.${MINOR_MIN} or newer is needed`, null)
  if (!found.ipykernel) throw unusable(path, 'ipykernel is not installed in it', `${path} -m pip install ipykernel`)
  return { path, version: found.version, binds }
}

async function bindOf(prefix: string, { path, rules, uid }: PythonAsk): Promise<SandboxBind> {
  const checked = await allowedFolder(prefix, rules)
  if ('why' in checked) throw unusable(path, `it needs ${prefix}: ${checked.why}`, null)
  const user = { uid, isWriting: false }
  if (!(await mayUse(checked.folder, user)))
    throw unusable(path, `it needs ${prefix}, which may not be read here`, permissionHelp(checked.folder, user))
  return { source: checked.folder, target: prefix, mode: 'read' }
}

async function runs(ask: PythonAsk, binds: readonly SandboxBind[]): Promise<z.infer<typeof answer> | null> {
  const { isRoot, uid, isSandboxed } = ask
  const command = [ask.path, '-c', ASK]
  const environment = sandboxEnvironment({ tools: {} })
  const result = isSandboxed
    ? await runOnce({ isRoot, uid, binds, environment, command, timeoutMs: CHECK_MS })
    : await runCommand(command, { timeoutMs: CHECK_MS })
  if (result.code !== 0) return null
  try {
    return answer.parse(JSON.parse(result.stdout.trim().split('\n').at(-1) ?? ''))
  } catch {
    return null // It printed something else: then it is no Python that can be asked.
  }
}

function unusable(path: string, why: string, help: string | null): StartRefused {
  return new StartRefused('python_unusable', `${path} cannot be the kernel: ${why}`, { subject: path, help })
}
