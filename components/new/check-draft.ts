import { limitOf } from '@/domain/issue-words'
import { workloadName } from '@/domain/names'
import { askedSpec, type WorkloadSettings, type WorkloadSpec, workloadSettings } from '@/domain/workloads'
import { splitCommand } from './command-line'
import { type Draft, specOf } from './draft'
import { wrongPackage } from './wrong-package'

/** The spec and the settings of a form, or what is wrong, by field. */
export type Checked =
  | { spec: WorkloadSpec; settings: WorkloadSettings; errors: null }
  | { spec: null; errors: Record<string, string> }

/** Checks the form by the schema of the API, so that both say the same. Pure; loaded when something is changed. */
export function checkDraft(draft: Draft): Checked {
  const wanted = draft.name.trim() === '' ? null : workloadName.safeParse(draft.name.trim())
  if (wanted?.error) return { spec: null, errors: { name: wanted.error.issues[0]?.message ?? 'not a name' } }
  const spec = specOf(draft)
  if (!spec) return { spec: null, errors: { command: splitCommand(draft.command).error ?? 'not a command' } }
  const wrong = wrongPackage(spec.requirements)
  if (wrong !== null) return { spec: null, errors: { requirements: wrong } }
  const [parsed, settings] = [askedSpec.safeParse(spec), workloadSettings.safeParse(draft.settings)]
  if (parsed.success && settings.success) return { spec: parsed.data, settings: settings.data, errors: null }
  const issues = [...(parsed.error?.issues ?? []), ...(settings.error?.issues ?? [])]
  return { spec: null, errors: Object.fromEntries(issues.map((i) => [fieldName(i.path, draft), limitOf(i)]).reverse()) }
}

/** The field as the form knows it: rows without a path are not sent, so the rows that are count differently. Pure. */
function fieldName(path: readonly PropertyKey[], draft: Draft): string {
  const [first, at] = path
  if (first !== 'mounts' || typeof at !== 'number') return path.join('.')
  const sent = draft.mounts.flatMap((row, i) => (row.path.trim() === '' ? [] : [i]))
  return `mounts.${sent[at] ?? at}`
}
