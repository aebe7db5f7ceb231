import {
  CircleAlert,
  CircleDashed,
  CircleMinus,
  CircleParking,
  CirclePause,
  CirclePlay,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  NotebookText,
  RadioTower,
  SquareTerminal,
} from 'lucide-react'
import type { Tone } from '@/components/ui/tone'
import type { Kind } from '@/domain/kinds'
import type { Reason, ReasonCode } from '@/domain/reasons'
import type { State } from '@/domain/states'

/** How a state looks: always a word, an icon and a tone together. `isMoving`: the icon turns while it lasts. */
export type StateLook = { word: string; icon: LucideIcon; tone: Tone; isMoving?: boolean }

/** Every state; `queued` says what it waits for by `stateLook`. */
export const STATE_LOOK: Record<State, StateLook> = {
  queued: { word: 'Waiting', icon: CircleDashed, tone: 'wait' },
  provisioning: { word: 'Starting', icon: LoaderCircle, tone: 'wait', isMoving: true },
  running: { word: 'Running', icon: CirclePlay, tone: 'good' },
  paused: { word: 'Paused', icon: CirclePause, tone: 'ink-2' },
  parking: { word: 'Parking', icon: LoaderCircle, tone: 'wait', isMoving: true },
  parked: { word: 'Parked', icon: CircleParking, tone: 'ink-2' },
  removing: { word: 'Removing', icon: LoaderCircle, tone: 'ink-2', isMoving: true },
  failed: { word: 'Failed', icon: CircleX, tone: 'bad' },
  lost: { word: 'Lost', icon: CircleAlert, tone: 'bad' },
  removed: { word: 'Removed', icon: CircleMinus, tone: 'ink-3' },
  canceled: { word: 'Canceled', icon: CircleSlash, tone: 'ink-3' },
}

const WAITS_FOR: Partial<Record<ReasonCode, string>> = {
  waiting_no_gpu_class: 'a GPU',
  waiting_no_gpus: 'a GPU',
  waiting_gpu_class_elsewhere: 'a GPU',
  waiting_gpus_too_many: 'a GPU',
  waiting_all_busy: 'a GPU',
  waiting_cpu: 'CPU',
  waiting_memory: 'memory',
  waiting_disk: 'disk',
  waiting_reserved: 'its turn',
  no_machine: 'a machine',
  waiting_machines_away: 'a machine',
  waiting_region: 'a machine',
  waiting_runtime: 'a machine',
  waiting_isolation: 'a machine',
  waiting_not_shared: 'a machine',
  waiting_folders: 'a machine',
  waiting_quarantine: 'an operator',
  waiting_orphan: 'a decision',
  waiting_machine_away: 'its machine',
  waiting_machine_closed: 'its machine',
  waiting_chosen_away: 'its machine',
  waiting_machine_gone: 'its machine',
}

/** The look of one workload. A waiting one says what it waits for, from the code of its reason. */
export function stateLook({ state, reason }: { state: State; reason: Reason | null }): StateLook {
  const look = STATE_LOOK[state]
  if (state !== 'queued' || !reason) return look
  const what = WAITS_FOR[reason.code]
  const { machine } = reason.args
  const known = what === 'its machine' && typeof machine === 'string' ? machine : what
  return known ? { ...look, word: `Waiting for ${known}` } : look
}

/** The icon of a kind. */
export const KIND_ICON: Record<Kind, LucideIcon> = {
  notebook: NotebookText,
  endpoint: RadioTower,
  session: SquareTerminal,
}
