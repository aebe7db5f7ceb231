import { createHash } from 'node:crypto'
import type { EgressPolicy } from '../../../egress/policy'
import type { BuildLaunch } from '../../../host/build-launch'
import type { Interpreter } from '../tools/interpreter'
import type { Uv } from '../tools/uv'

/** The server runs the notebook's pages, the kernel runs its code; neither can change the other. */
export type Role = 'server' | 'kernel'

/** Where an environment is inside a sandbox, while it is built and when it is used: its files name this path. */
export function environmentPath(role: Role): string {
  return `/opt/berth/${role}`
}
/** Scratch space of a build, on disk; gone with it. */
export const BUILD_DIR = '/build'
/** Where a build finds the package tool of its machine. */
export const UV_PATH = '/opt/berth/uv'

export type EnvironmentSpec = {
  role: Role
  tenantId: string
  packages: readonly string[]
  interpreter: Interpreter
  uv: Uv | null
  /** Where there is no sandbox: built and used where it lies, with the rights of the agent. */
  isPlain: boolean
}
/** Where a build's programs find what they need, and where the environment is while it is built and used. */
export type BuildPlace = { environment: string; work: string; uv: string }

/** Inside a sandbox everything has one place, whatever it is called on the machine. */
function sandboxPlace(role: Role): BuildPlace {
  return { environment: environmentPath(role), work: BUILD_DIR, uv: UV_PATH }
}

/** The installer's report of what it is going to install. */
export function reportOf({ work }: Pick<BuildPlace, 'work'>): string {
  return `${work}/report.json`
}
/** What is wanted, with what it may reach while it is built, and where its log goes. */
export type EnvironmentAsk = { spec: EnvironmentSpec; policy: EgressPolicy; memoryBytes: number; logFile: string }

/** What a notebook installs itself goes here, in front of its read-only environment. */
export const USER_PREFIX = '/workspace/.home/.local'

type Step = Pick<BuildLaunch['steps'][number], 'stage' | 'command' | 'installs'>
export type EnvironmentPlan = { steps: Step[]; probes: BuildLaunch['probes'] }

/** Raised when the steps below change, so that older environments are built anew. */
const PLAN_VERSION = 3

/** Pure: one name for one content. Tenants share nothing, and another Python is another environment. */
export function environmentKey(spec: EnvironmentSpec): string {
  const { role, tenantId, packages, interpreter, uv, isPlain } = spec
  const content = [
    PLAN_VERSION,
    role,
    tenantId,
    [...packages].sort(),
    interpreter.path,
    interpreter.version,
    process.arch,
    uv ? 'uv' : 'pip',
    ...(isPlain ? ['plain'] : []),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40)
}

/** Pure: the steps that build it, and a probe for each package. */
export function environmentPlan(spec: EnvironmentSpec, place = sandboxPlace(spec.role)): EnvironmentPlan {
  const tool = spec.uv ? withUv(spec, place) : withPip(spec, place)
  const stage = spec.role === 'server' ? (['environment', 'packages'] as const) : (['kernel', 'kernel'] as const)
  return {
    steps: [
      { stage: stage[0], command: tool.create, installs: false },
      { stage: stage[1], command: tool.install(spec.packages), installs: true },
      { stage: stage[1], command: FINISH[spec.role](spec.interpreter, place), installs: false },
    ],
    probes: spec.packages.map((requirement) => ({ subject: nameOf(requirement), command: tool.probe(requirement) })),
  }
}

/** The name of a requirement, without extras and versions. */
function nameOf(requirement: string): string {
  return /^[A-Za-z0-9._-]+/.exec(requirement)?.[0] ?? requirement
}

/** Fixed text: the page asks nobody for news and updates, nor whether it should be built anew: nothing here could be. */
const QUIET = `import json, os, sys
def put(folder, name, value):
    folder = os.path.join(sys.prefix, *folder)
    os.makedirs(folder, exist_ok=True)
    json.dump(value, open(os.path.join(folder, name), "w"))
news = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
put(["share", "jupyter", "lab", "settings"], "overrides.json", news)
put(["etc", "jupyter", "labconfig"], "page_config.json", {"buildCheck": False, "buildAvailable": False})`

const FINISH: Record<Role, (interpreter: Interpreter, place: BuildPlace) => string[]> = {
  server: (_, { environment }) => [`${environment}/bin/python`, '-I', '-c', QUIET],
  // A kernelspec with the full path of this Python: the server starts it without having it.
  // What a notebook installs itself goes to its home, in front of the read-only environment; terminals keep pip's own ways.
  kernel: ({ version }, { environment }) => [
    ...[`${environment}/bin/python`, '-m', 'ipykernel', 'install', '--prefix', environment],
    ...['--name', 'python3', '--display-name', 'Python 3', '--env', 'PIP_PREFIX', USER_PREFIX],
    ...['--env', 'PYTHONPATH', `${USER_PREFIX}/lib/python${version.split('.').slice(0, 2).join('.')}/site-packages`],
  ],
}

type Tool = { create: string[]; install(packages: readonly string[]): string[]; probe(requirement: string): string[] }

function withPip({ interpreter }: EnvironmentSpec, place: BuildPlace): Tool {
  const path = place.environment
  const pip = [`${path}/bin/python`, '-m', 'pip', 'install', '--no-input', '--progress-bar', 'off']
  return {
    create: [interpreter.path, '-I', '-m', 'venv', path],
    // Bytecode is compiled by pip itself: in use the environment is read-only.
    install: (packages) => [...pip, '--report', reportOf(place), '--', ...packages],
    probe: (requirement) => [...pip, '--dry-run', '--no-deps', '--ignore-installed', '--', requirement],
  }
}

function withUv({ interpreter }: EnvironmentSpec, { environment: path, uv }: BuildPlace): Tool {
  const python = ['--python', `${path}/bin/python`]
  return {
    create: [uv, 'venv', '--seed', '--python', interpreter.path, path],
    install: (packages) => [uv, 'pip', 'install', '--compile-bytecode', ...python, '--', ...packages],
    probe: (requirement) => [uv, 'pip', 'install', '--dry-run', '--no-deps', '--reinstall', ...python, '--', requirement],
  }
}
