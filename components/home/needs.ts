import {
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CircleX,
  HardDrive,
  type LucideIcon,
  ShieldOff,
  SquareTerminal,
  Timer,
  Unplug,
} from 'lucide-react'
import { workloadPath } from '@/components/frame/routes'
import { runsUnisolated, sandboxFix } from '@/components/machines/isolation-words'
import { diskShare } from '@/components/machines/machine-look'
import { bytesText } from '@/components/ui/bytes'
import { durationText } from '@/components/ui/duration'
import type { Tone } from '@/components/ui/tone'
import { stopSoon } from '@/components/workload/stop-soon'
import { availability } from '@/components/workloads/actions'
import { reasonSentence } from '@/components/workloads/words'
import { reasonSeverity } from '@/domain/reasons'
import type { MachineView, WorkloadView } from '@/domain/views'

/** One thing that waits for the person: what it is, since when, and the one action that goes on. */
export type Need = {
  key: string
  icon: LucideIcon
  tone: Tone
  subject: string
  what: string
  detail: string
  since: Date | null
  /** What goes on, the one to take last. */
  actions: readonly NeedAction[]
}
/** A page to look at, or something that is done at once. */
export type NeedAction = { label: string } & ({ href: string } | { act: 'keep' | 'park'; target: WorkloadView })

const FULL = 0.9

/** What waits for the person, the gravest first; then what came last. Pure. */
export function needsOf(workloads: readonly WorkloadView[], machines: readonly MachineView[], nowMs: number): Need[] {
  const needs = [
    ...workloads.flatMap((w) => workloadNeed(w, nowMs) ?? []),
    ...machines.flatMap((m) => machineNeeds(m, workloads)),
  ]
  return needs.sort((a, b) => GRAVITY[b.tone] - GRAVITY[a.tone] || (b.since?.getTime() ?? 0) - (a.since?.getTime() ?? 0))
}

const GRAVITY: Record<Tone, number> = { bad: 3, warn: 2, good: 1, wait: 0, accent: 0, ink: 0, 'ink-2': 0, 'ink-3': 0 }

function workloadNeed(w: WorkloadView, nowMs: number): Need | null {
  const base = { key: w.id, subject: w.name, detail: w.reason ? reasonSentence(w.reason) : '', since: w.stateSince }
  const page = workloadPath(w.id)
  if (w.state === 'failed')
    return { ...base, icon: CircleX, tone: 'bad', what: 'failed', actions: [{ label: 'Fix', href: page }] }
  if (w.state === 'lost')
    return { ...base, icon: CircleAlert, tone: 'bad', what: 'is lost', actions: [{ label: 'Fix', href: page }] }
  if (w.state === 'queued' && w.reason && reasonSeverity(w.reason.code) === 'warn') {
    return {
      ...base,
      icon: CircleDashed,
      tone: 'warn',
      what: 'cannot start as things are',
      actions: [{ label: 'Why', href: page }],
    }
  }
  if (w.state !== 'running' || w.exitCode === null) return stopNeed(w, nowMs)
  return {
    ...base,
    icon: SquareTerminal,
    tone: w.exitCode === 0 ? 'good' : 'warn',
    what: w.exitCode === 0 ? 'has ended' : `ended with exit code ${w.exitCode}`,
    detail: 'Its sandbox stays up, so that you can look',
    since: null,
    actions: [{ label: 'Look', href: page }],
  }
}

/** It is going to be parked soon: by itself, and perhaps while somebody still wants it. */
function stopNeed(w: WorkloadView, nowMs: number): Need | null {
  const soon = stopSoon(w, nowMs)
  if (!soon || !w.stopAt) return null
  const left = w.stopAt.getTime() - nowMs
  const actions: NeedAction[] = []
  if (availability('park', w).can) actions.push({ label: 'Park now', act: 'park', target: w })
  if (availability('keep', w).can) actions.push({ label: 'Keep', act: 'keep', target: w })
  else actions.push({ label: 'Look', href: workloadPath(w.id) })
  return {
    key: w.id,
    icon: Timer,
    tone: 'warn',
    subject: w.name,
    what: left <= 0 ? 'parks now' : `parks in ${durationText(left)}`,
    detail: soon.why,
    since: w.stopWhy === 'idle' ? w.lastBusyAt : null,
    actions,
  }
}

function machineNeeds(m: MachineView, workloads: readonly WorkloadView[]): Need[] {
  const here = workloads.filter((w) => w.placement?.machineId === m.id).length
  return [silentNeed(m, here), sandboxNeed(m), diskNeed(m), orphansNeed(m), wedgedNeed(m)].filter((need) => need !== null)
}

/** What every need of a machine has in common. */
function machineNeed(m: MachineView, what: string): Pick<Need, 'key' | 'subject' | 'tone' | 'since' | 'actions'> {
  const actions = [{ label: 'Review', href: `/machines?machine=${m.id}` }]
  return { key: `${m.id} ${what}`, subject: m.name, tone: 'warn', since: null, actions }
}

function silentNeed(m: MachineView, here: number): Need | null {
  if (m.isConnected || m.lastContactAt === null || here === 0) return null
  const detail = `${here} of your workloads ${here === 1 ? 'is' : 'are'} there; nothing is stopped`
  return { ...machineNeed(m, 'silent'), icon: Unplug, what: 'is silent', detail, since: m.lastContactAt }
}

function sandboxNeed(m: MachineView): Need | null {
  if (!m.inventory || !runsUnisolated(m.inventory)) return null
  const fix = sandboxFix(m.inventory)
  const detail = `Programs there can read everything that Berth stores${fix ? `. To install one: ${fix}` : ''}`
  return { ...machineNeed(m, 'sandbox'), icon: ShieldOff, what: 'has no sandbox', detail }
}

function diskNeed(m: MachineView): Need | null {
  const disk = diskShare(m)
  if (!m.isConnected || !m.inventory || disk === null || disk <= FULL) return null
  const left = bytesText(m.use?.diskFreeBytes ?? m.inventory.diskFreeBytes)
  const detail = `${left} left of ${bytesText(m.inventory.diskBytes)}`
  return { ...machineNeed(m, 'disk'), icon: HardDrive, what: `disk is ${Math.floor(disk * 100)} % full`, detail }
}

function orphansNeed(m: MachineView): Need | null {
  const open = m.orphans.filter((orphan) => orphan.decision === null)
  const [first] = open
  if (!first) return null
  const detail = 'They go on until you adopt or stop them'
  const what = `runs ${open.length} that the database does not know`
  return { ...machineNeed(m, 'orphans'), icon: CircleHelp, what, detail, since: first.firstSeenAt }
}

function wedgedNeed(m: MachineView): Need | null {
  const wedged = m.inventory?.devices.filter((d) => d.state === 'wedged') ?? []
  const [first] = wedged
  if (!first) return null
  const what = wedged.length === 1 ? 'has a wedged GPU' : `has ${wedged.length} wedged GPUs`
  const detail = `${first.name}: it answers no more, and a person has to reset it`
  return { ...machineNeed(m, 'wedged'), icon: CircleX, tone: 'bad', what, detail }
}
