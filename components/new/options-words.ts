import { bytesText } from '@/components/ui/bytes'
import { KINDS } from '@/domain/kinds'
import type { Draft } from './draft'
import { minutesText, stopWords } from './stop-times'

/** Fields that are folded away, by the beginning of their name. */
const FOLDED = ['cpus', 'memoryBytes', 'diskBytes', 'gpu', 'mounts', 'python', 'idleMinutes', 'limitMinutes', 'parkAt'] as const

/** Is something wrong in a field that is folded away? Pure. */
export function hasHiddenError(errors: Readonly<Record<string, string>>): boolean {
  return Object.keys(errors).some((field) => FOLDED.some((name) => field === name || field.startsWith(`${name}.`)))
}

/** Does it reach beyond its own workspace: folders or a Python of the machine? Pure. */
export function reachesMachine({ mounts, python }: Pick<Draft, 'mounts' | 'python'>): boolean {
  return python.trim() !== '' || mounts.some((mount) => mount.path.trim() !== '')
}

/** What the folded options say, in one line: what was set first, so that a narrow page cuts what is ordinary. Pure. */
export function optionsSummary(draft: Draft): string {
  const { idleMinutes, limitMinutes, parkAt } = draft.settings
  const folders = draft.mounts.filter((m) => m.path.trim() !== '').length
  const policy = draft.rebootPolicy ?? KINDS[draft.kind].rebootPolicy
  return [
    ...(folders > 0 ? [`${folders} ${folders === 1 ? 'folder' : 'folders'} of the machine`] : []),
    ...(draft.kind === 'notebook' && draft.python.trim() !== '' ? ['an existing Python'] : []),
    idleMinutes === null ? 'no idle stop' : `idle stop ${minutesText(idleMinutes)}`,
    limitMinutes === null ? 'no time limit' : `time limit ${minutesText(limitMinutes)}`,
    ...stopWords({ idleMinutes: null, limitMinutes: null, parkAt }).map((words) => `parked ${words}`),
    ...(draft.gpu ? [draft.gpu.allowFallbacks ? 'fallback classes allowed' : 'no fallback class'] : []),
    `${bytesText(draft.diskBytes)} of disk`,
    policy === 'resume' ? 'starts again after a restart of its machine' : 'stays parked after a restart of its machine',
  ].join(' · ')
}

/** The name of a field for a list of what is wrong. Pure. */
export function fieldLabel(field: string): string {
  const [first = field, at] = field.split('.')
  return first === 'mounts' && at !== undefined ? `Folder ${Number(at) + 1}` : (LABELS[first] ?? field)
}

const LABELS: Record<string, string> = {
  cpus: 'CPUs',
  memoryBytes: 'Memory',
  diskBytes: 'Disk',
  name: 'Name',
  requirements: 'Packages',
  command: 'Command',
  runtime: 'Runtime',
  machineId: 'Machine',
  mounts: 'Folders',
  python: 'Python',
  idleMinutes: 'Idle stop',
  limitMinutes: 'Time limit',
  parkAt: 'Daily parking',
}
