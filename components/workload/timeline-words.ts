import {
  ArrowDownToLine,
  CircleCheck,
  CircleParking,
  CirclePlay,
  CirclePlus,
  CircleSlash,
  CircleX,
  ExternalLink,
  Info,
  type LucideIcon,
  MapPin,
  Pencil,
  RotateCw,
  ShieldX,
  Trash2,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { STATE_LOOK } from '@/components/frame/state-look'
import type { Tone } from '@/components/ui/tone'
import { reasonSentence, STAGE_WORDS } from '@/components/workloads/words'
import type { Severity } from '@/domain/reason'
import { type ReasonCode, reasonSeverity } from '@/domain/reasons'
import type { WorkloadEvent } from '@/domain/workloads'

export type EventWords = { icon: LucideIcon; tone: Tone; text: string; detail: string | null }

/** Icons of reasons that say more than the state they lead to. */
const REASON_ICON: Partial<Record<ReasonCode, LucideIcon>> = {
  created: CirclePlus,
  placed: MapPin,
  started: CirclePlay,
  parked_by_person: CircleParking,
  parked: CircleParking,
  resumed_by_person: RotateCw,
  restarted_by_person: RotateCw,
  recovered_by_person: RotateCw,
  deleted_by_person: Trash2,
  canceled_by_person: CircleSlash,
  renamed_by_person: Pencil,
  opened_by_person: ExternalLink,
  stage: ArrowDownToLine,
  retry_capacity: RotateCw,
  retry_vanished: RotateCw,
  egress_denied: ShieldX,
  egress_denied_often: ShieldX,
  host_outdated: RotateCw,
  egress_volume: ShieldX,
  machine_rebooted: Unplug,
  ended_with_berth: Unplug,
  machine_gone: Unplug,
  came_back: CircleCheck,
}

const BY_SEVERITY: Record<Severity, { icon: LucideIcon; tone: Tone }> = {
  info: { icon: Info, tone: 'ink-3' },
  good: { icon: CircleCheck, tone: 'good' },
  warn: { icon: TriangleAlert, tone: 'warn' },
  bad: { icon: CircleX, tone: 'bad' },
}

const ACTOR: Record<WorkloadEvent['actor'], string | null> = {
  person: null,
  controller: 'by the controller',
  machine: 'by its machine',
}

/** One line of the timeline in words. A person is named in the reason itself; other actors stand below it. Pure. */
export function eventWords(event: WorkloadEvent): EventWords {
  const { reason, from, to, actor } = event
  const look = BY_SEVERITY[reasonSeverity(reason.code)]
  const moved = from !== null && to !== null && from !== to ? `${STATE_LOOK[from].word} → ${STATE_LOOK[to].word}` : null
  const detail = [moved, ACTOR[actor]].filter((part) => part !== null).join(' · ')
  return {
    icon: REASON_ICON[reason.code] ?? look.icon,
    tone: look.tone,
    text: textOf(reason),
    detail: detail || null,
  }
}

/** A stage in the words that the page uses while it lasts. */
function textOf(reason: WorkloadEvent['reason']): string {
  const { stage } = reason.args
  const isStage = reason.code === 'stage' && typeof stage === 'string' && stage in STAGE_WORDS
  return isStage ? STAGE_WORDS[stage as keyof typeof STAGE_WORDS] : reasonSentence(reason)
}
