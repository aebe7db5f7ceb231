import { workloadName } from '@/domain/names'
import { requirement, type WorkloadSpec, workloadSpec } from '@/domain/workloads'
import { splitCommand } from './command-line'
import { type Draft, specOf } from './draft'

/** The spec of a form, or what is wrong, by field. */
export type Checked = { spec: WorkloadSpec; errors: null } | { spec: null; errors: Record<string, string> }

/** Checks the form by the schema of the API, so that both say the same. Pure; loaded when something is changed. */
export function checkDraft(draft: Draft): Checked {
  const wanted = draft.name.trim() === '' ? null : workloadName.safeParse(draft.name.trim())
  if (wanted?.error) return { spec: null, errors: { name: wanted.error.issues[0]?.message ?? 'not a name' } }
  const spec = specOf(draft)
  if (!spec) return { spec: null, errors: { command: splitCommand(draft.command).error ?? 'not a command' } }
  const wrong = spec.requirements.find((text) => !requirement.safeParse(text).success)
  if (wrong !== undefined) return { spec: null, errors: { requirements: `${wrong}: ${requirementLimit(wrong)}` } }
  const parsed = workloadSpec.safeParse(spec)
  if (parsed.success) return { spec: parsed.data, errors: null }
  return { spec: null, errors: Object.fromEntries(parsed.error.issues.map((i) => [i.path.join('.'), i.message]).reverse()) }
}

function requirementLimit(text: string): string {
  const parsed = requirement.safeParse(text)
  return parsed.success ? '' : (parsed.error.issues[0]?.message ?? 'not a package')
}
