import type { Reason, ReasonCode } from '@/domain/reasons'

/** Waits that end when a machine that is here takes work again, or takes this one. */
const AWAY: readonly ReasonCode[] = [
  'waiting_first_look',
  'waiting_gpu_class_elsewhere',
  'waiting_machine_away',
  'waiting_machines_away',
  'waiting_machine_closed',
  'waiting_chosen_away',
  'waiting_quarantine',
  'waiting_orphan',
]

/** What ends a wait that is not for room: a machine that is here, one that is not shared, or one that is not here yet. Pure. */
export function whatItNeeds({ code }: Reason): 'back' | 'shared' | 'joined' {
  if (AWAY.includes(code)) return 'back'
  return code === 'waiting_not_shared' || code === 'waiting_folders' ? 'shared' : 'joined'
}

/** What to say in place of a turn that nobody can promise. */
export const NOT_IN_TURN: Record<ReturnType<typeof whatItNeeds>, string> = {
  back: 'It has no turn yet: no machine takes it at this moment, whoever is ahead.',
  shared: 'It has no turn: it waits until a machine is shared that may take it. It blocks nobody behind it.',
  joined: 'It has no turn: no machine here can ever take it as it asks. It waits for one to join that can, and blocks nobody.',
}
