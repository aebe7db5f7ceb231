import { KINDS } from '@/domain/kinds'
import type { OrphanView } from '@/domain/views'

export type OrphanDecision = 'adopt' | 'stop'
/** What the dialog of a decision says before it happens. */
export type OrphanDialogWords = { title: string; description: string; points: readonly string[]; confirm: string }

/** What an orphan is called where nobody may know its name. Pure. */
export function orphanName({ name, kind, placementId }: OrphanView): string {
  const short = placementId.slice(-8)
  return name ?? `${kind ? KINDS[kind].label : 'Something'} ${short}`
}

/** Why it can only be stopped; null when adopting may be tried. Pure. */
export function cannotAdopt({ kind }: OrphanView): string | null {
  return kind === null ? 'Its machine does not know any more what it was: it can only be stopped' : null
}

type Where = { machine: string; isQuarantined: boolean }

/** What an adopt or a stop would do. In quarantine nothing ends yet. Pure. */
export function orphanDialogWords(decision: OrphanDecision, orphan: OrphanView, where: Where): OrphanDialogWords {
  const { machine, isQuarantined } = where
  const name = orphanName(orphan)
  if (decision === 'stop') {
    return {
      title: `Stop ${name}?`,
      description: `Its processes on ${machine} end ${isQuarantined ? 'once quarantine is left' : 'now'}. This cannot be undone.`,
      points: [`Its files stay on ${machine}.`, 'Nothing else of Berth is touched.'],
      confirm: 'Stop it',
    }
  }
  return {
    title: `Adopt ${name}?`,
    description: `It goes on as it runs on ${machine}; nothing is restarted.`,
    points: [
      orphan.name ? `${name} is this one from now on.` : 'It becomes a workload of its owner, under a new name.',
      `What it reserves on ${machine} counts again.`,
      'It is in the lists at once, and can be opened, parked and deleted like any other.',
    ],
    confirm: 'Adopt it',
  }
}
