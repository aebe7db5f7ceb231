import type { Catalog, GpuClass, Runtime, Size } from '@/domain/catalog'
import { KIND_NAMES, type Kind } from '@/domain/kinds'
import { HOST_PATH, withoutClosingSlash } from '@/domain/paths'
import type { Suggestion } from '@/domain/placement'
import { applyChange } from '@/domain/suggestions'
import type { GpuAsk, Workload, WorkloadSettings, WorkloadSpec } from '@/domain/workloads'
import { joinCommand, splitCommand } from './command-line'

const NEVER: WorkloadSettings = { idleMinutes: null, limitMinutes: null, parkAt: null }

/** What is in the form: the spec, with texts as they were typed. */
export type Draft = {
  kind: Kind
  name: string
  runtime: string
  cpus: number
  memoryBytes: number
  diskBytes: number
  gpu: GpuAsk | null
  machineId: string | null
  command: string
  requirements: string
  /** Folders as typed; a row without a path yet asks for nothing. */
  mounts: WorkloadSpec['mounts']
  python: string
  settings: WorkloadSettings
  rebootPolicy: 'resume' | 'stay' | null
}

/** Kinds for which the catalog has a runtime, in their order. Pure. */
export function offeredKinds(catalog: Catalog): Kind[] {
  return KIND_NAMES.filter((kind) => catalog.runtimes.some((r) => r.kind === kind))
}

/** The kind that the form starts with: the wanted one, if the catalog offers it. Pure. */
export function firstKind(catalog: Catalog, wanted: Kind | null): Kind {
  const kinds = offeredKinds(catalog)
  return wanted && kinds.includes(wanted) ? wanted : (kinds[0] ?? 'notebook')
}

/** A form that is ready to be sent: the last one of this kind, or the catalog's defaults. Pure. */
export function defaultDraft(catalog: Catalog, kind: Kind, last?: Workload): Draft {
  const runtime = catalog.runtimes.find((r) => r.kind === kind)
  if (last && catalog.runtimes.some((r) => r.id === last.spec.runtime)) return draftOf(last)
  const size = sizeOf(catalog, runtime)
  return {
    kind,
    name: '',
    runtime: runtime?.id ?? '',
    cpus: size?.cpus ?? 1,
    memoryBytes: size?.memoryBytes ?? 2 ** 31,
    diskBytes: size?.diskBytes ?? 0,
    gpu: null,
    machineId: null,
    command: '',
    requirements: '',
    mounts: [],
    python: '',
    settings: NEVER,
    rebootPolicy: null,
  }
}

/** The same again, without the name. Pure. */
export function draftOf({ kind, spec, settings }: Pick<Workload, 'kind' | 'spec' | 'settings'>): Draft {
  const { runtime, cpus, memoryBytes, diskBytes, gpu, machineId } = spec
  return {
    kind,
    name: '',
    runtime,
    cpus,
    memoryBytes,
    diskBytes,
    gpu,
    machineId,
    command: spec.command ? joinCommand(spec.command) : '',
    requirements: spec.requirements.join('\n'),
    mounts: spec.mounts,
    python: spec.python ?? '',
    settings,
    rebootPolicy: spec.rebootPolicy ?? null,
  }
}

/** The spec of a form as it was typed; null while its command cannot be split. The API has the last word on its values. Pure. */
export function specOf(draft: Draft): WorkloadSpec | null {
  const { args } = splitCommand(draft.kind === 'session' ? draft.command : '')
  if (args === null) return null
  const isNotebook = draft.kind === 'notebook'
  const requirements = isNotebook ? linesOf(draft.requirements) : []
  const python = (isNotebook && draft.python.trim()) || null
  const policy = draft.rebootPolicy && { rebootPolicy: draft.rebootPolicy }
  return { ...fitSpecOf(draft), command: args.length > 0 ? args : null, requirements, mounts: mountsOf(draft), python, ...policy }
}

/** What placement looks at: the same while a name, a command or packages are being typed. Pure. */
export function fitSpecOf(draft: Draft): WorkloadSpec {
  const { runtime, cpus, memoryBytes, diskBytes, gpu, machineId } = draft
  return { runtime, cpus, memoryBytes, diskBytes, gpu, machineId, command: null, requirements: [], ...foldersOf(draft) }
}

/** The folders and the interpreter that a machine has to allow; those that are still being typed are left out. Pure. */
function foldersOf(draft: Draft): Pick<WorkloadSpec, 'mounts' | 'python'> {
  const typed = mountsOf(draft).filter(({ path }) => HOST_PATH.test(path))
  const names = new Set(typed.map(({ path }) => path.slice(path.lastIndexOf('/'))))
  const python = draft.kind === 'notebook' ? draft.python.trim() : ''
  return { mounts: names.size === typed.length ? typed : [], python: HOST_PATH.test(python) ? python : null }
}

function mountsOf(draft: Draft): WorkloadSpec['mounts'] {
  return draft.mounts
    .map(({ path, mode }) => ({ path: withoutClosingSlash(path.trim()), mode }))
    .filter(({ path }) => path !== '')
}

/** The server's name of a field as the form knows it: `spec.mounts.0.path` is `mounts.0`, `spec.requirements.3` is `requirements`. Pure. */
export function formField(field: string): string {
  const own = field.replace(/^(spec|settings)\./, '')
  return own.startsWith('mounts.') ? own.split('.').slice(0, 2).join('.') : own.replace(/\.\d+$/, '')
}

/** Packages as they are typed, one a line; what follows a number sign is a remark of its own. Pure. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The form with a size of the catalog and no GPU. Pure. */
export function withSize(draft: Draft, { cpus, memoryBytes, diskBytes }: Size): Draft {
  return { ...draft, cpus, memoryBytes, diskBytes, gpu: null }
}

/** Is this the size in the form? Pure. */
export function hasSize(draft: Draft, size: Size): boolean {
  return (
    draft.gpu === null && draft.cpus === size.cpus && draft.memoryBytes === size.memoryBytes && draft.diskBytes === size.diskBytes
  )
}

/** The form with GPUs of a class. The first GPU brings a larger size with it: few programs feed one from a single core. Pure. */
export function withClass(draft: Draft, gpuClass: GpuClass, catalog: Catalog): Draft {
  const { count = 1, allowFallbacks = false } = draft.gpu ?? {}
  const size = draft.gpu ? draft : (gpuSize(catalog) ?? draft)
  const { cpus, memoryBytes, diskBytes } = size
  return { ...draft, cpus, memoryBytes, diskBytes, gpu: { class: gpuClass.id, count, allowFallbacks } }
}

/** CPU, memory and disk that come with a GPU, until changed by hand: the middle of the catalog's sizes. Pure. */
function gpuSize(catalog: Catalog): Size | undefined {
  const bySize = [...catalog.sizes].sort((a, b) => a.memoryBytes - b.memoryBytes)
  return bySize[Math.floor(bySize.length / 2)]
}

/** The form with a change that the placement suggested. Pure. */
export function withChange(draft: Draft, spec: WorkloadSpec, change: Suggestion['change']): Draft {
  const { cpus, memoryBytes, diskBytes, gpu } = applyChange(spec, change)
  return { ...draft, cpus, memoryBytes, diskBytes, gpu }
}

/** Every choice of size and class that the form shows, as it would be asked: the server asks them first. Pure. */
export function shownDrafts(draft: Draft, catalog: Catalog): Draft[] {
  return [
    draft,
    ...catalog.sizes.map((size) => withSize(draft, size)),
    ...catalog.classes.map((c) => withClass(draft, c, catalog)),
  ]
}

function sizeOf(catalog: Catalog, runtime: Runtime | undefined): Size | undefined {
  return catalog.sizes.find((s) => s.id === runtime?.defaultSize) ?? catalog.sizes[0]
}
