import type { DriverOffer, RuntimeOffer } from '@/domain/machines'
import type { Cgroups, Enforced } from './limits/cgroups'
import type { SandboxProbe } from './sandbox/probe'
import { bubblewrapVersion, probeSandbox } from './sandbox/probe'
import { runCommand } from './sandbox/run-command'
import type { Interpreter } from './tools/interpreter'
import type { MachineTools } from './tools/machine-tools'
import type { Uv } from './tools/uv'

/** What the process driver offers on a machine, and for everything that is missing the one line that helps. */
export type ProcessOffers = {
  drivers: DriverOffer[]
  runtimes: RuntimeOffer[]
  tools: Record<string, string>
  enforces: Enforced[]
  registries: MachineTools['registries']
}
type OfferParts = { isRoot: boolean; cgroups: Cgroups; readTools: () => Promise<MachineTools>; warm: () => Promise<void> }
type Found = { sandbox: SandboxProbe; interpreter: Interpreter | null; uv: Uv | null; canPause: boolean }

const WARNING = 'no isolation: programs there can read everything that Berth stores'

/** Asks this machine, by running what it offers. Takes about a second. */
export async function offers(parts: OfferParts): Promise<ProcessOffers> {
  const { cgroups, isRoot } = parts
  const [sandbox, { interpreter, uv, registries }, bubblewrap, node] = await Promise.all([
    probeSandbox(isRoot),
    parts.readTools(),
    bubblewrapVersion(),
    runCommand(['node', '--version']),
  ])
  const found = { sandbox, interpreter, uv, canPause: cgroups.canPause }
  if (sandbox.works) await parts.warm()
  return {
    ...describeOffers(found),
    registries,
    tools: {
      ...(bubblewrap === null ? {} : { bubblewrap }),
      ...(interpreter === null ? {} : { python: interpreter.version }),
      ...(uv === null ? {} : { uv: uv.version }),
      ...(node.code === 0 ? { node: node.stdout.trim().replace(/^v/, '') } : {}),
    },
    // A user's process count is held by prlimit where no control group does it; CPU and memory are not held without one.
    enforces: sandbox.works ? [...new Set([...cgroups.enforces, 'pids' as const])] : [],
  }
}

/** Pure: rows of drivers and runtimes from what was found. */
export function describeOffers(found: Found): Pick<ProcessOffers, 'drivers' | 'runtimes'> {
  const { sandbox, canPause } = found
  const isHere = process.platform === 'linux'
  const sandboxed = sandbox.works ? { detail: null, fix: null } : { detail: sandbox.detail, fix: sandbox.fix }
  return {
    drivers: [
      { row: 'process-sandboxed', works: sandbox.works, canPause: sandbox.works && canPause, ...sandboxed },
      { row: 'process-plain', works: isHere, detail: WARNING, fix: sandboxed.fix, canPause: false },
    ],
    runtimes: [
      { runtime: 'jupyterlab', ...notebooks(found, isHere) },
      { runtime: 'shell', works: isHere, ...withoutSandbox(sandbox) },
    ],
  }
}

/** What runs without a sandbox says so, and what would bring one. */
function withoutSandbox(sandbox: SandboxProbe): Pick<RuntimeOffer, 'detail' | 'fix'> {
  if (sandbox.works) return { detail: null, fix: null }
  return { detail: `without a sandbox: ${sandbox.detail}`.slice(0, 120), fix: sandbox.fix }
}

function notebooks({ sandbox, interpreter, uv }: Found, isHere: boolean): Omit<RuntimeOffer, 'runtime'> {
  if (!isHere) return { works: false, detail: 'notebooks need Linux', fix: null }
  if (!interpreter)
    return { works: false, detail: 'no Python 3.11 or newer of the system', fix: 'apt install python3 python3-venv' }
  if (!uv && !interpreter.hasVenv)
    return { works: false, detail: 'Python cannot make environments', fix: 'apt install python3-venv' }
  return { works: true, ...withoutSandbox(sandbox) }
}
