import type { Catalog } from '@/domain/catalog'
import { KIND_NAMES, type Kind } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { workloadName } from '@/domain/names'
import { NO_SETTINGS, type WorkloadSettings, type WorkloadSpec, workloadSettings, workloadSpec } from '@/domain/workloads'

type Query = Readonly<Record<string, string | string[] | undefined>>

/** What a link asks the form to be filled with. `isBroken`: it could not be read, and nothing of it is taken. */
type NewLink = {
  kind: Kind | null
  filled: { kind: Kind; name: string; spec: WorkloadSpec; settings: WorkloadSettings } | null
  isBroken: boolean
}

/** Reads `/new?kind=…&name=…&spec=<JSON>`. All or nothing: half a request would be one that nobody wrote. Pure. */
export function readLink(query: Query, catalog: Catalog): NewLink {
  const kind = KIND_NAMES.find((k) => k === query.kind) ?? null
  if (query.spec === undefined) return { kind, filled: null, isBroken: false }
  const spec = workloadSpec.safeParse(parsed(query.spec))
  const settings = workloadSettings.safeParse(query.settings === undefined ? NO_SETTINGS : parsed(query.settings))
  const runtime = spec.success ? catalog.runtimes.find((r) => r.id === spec.data.runtime) : undefined
  const isWhole = spec.success && settings.success && runtime !== undefined && (kind === null || kind === runtime.kind)
  if (!isWhole) return { kind, filled: null, isBroken: true }
  const name = typeof query.name === 'string' ? nextName(query.name) : ''
  return { kind, filled: { kind: runtime.kind, name, spec: spec.data, settings: settings.data }, isBroken: false }
}

/** A name that follows another one: `train` → `train-2` → `train-3`; empty when it is no name. Pure. */
export function nextName(name: string): string {
  if (!workloadName.safeParse(name).success) return ''
  const [, base = name, number] = /^(.+?)-(\d{1,6})$/.exec(name) ?? []
  const suffix = `-${number === undefined ? 2 : Number(number) + 1}`
  return base.slice(0, LIMITS.nameChars - suffix.length) + suffix
}

/** The value of a JSON text; undefined, which no schema takes, when it is none. */
function parsed(text: string | string[]): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller says that the link is broken
  }
}
