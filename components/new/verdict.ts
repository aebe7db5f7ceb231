import { CircleCheck, CircleDashed, CircleSlash, type LucideIcon } from 'lucide-react'
import { bytesText } from '@/components/ui/bytes'
import { sentence } from '@/components/ui/sentence'
import type { Tone } from '@/components/ui/tone'
import type { Funnel } from '@/domain/placement'
import { counted } from '@/domain/reason'
import { type Reason, type ReasonCode, reasonSeverity, reasonText } from '@/domain/reasons'

/** What would happen if this were created now: in a few words for a row, and in full. */
export type FitVerdict = { starts: boolean; icon: LucideIcon; tone: Tone; short: string; full: string }

/** Pure: the same funnel says the same. */
export function verdictOf(funnel: Funnel): FitVerdict {
  if (funnel.chosen) {
    const fits = funnel.machines.filter((m) => m.droppedBy === null).length
    const where = fits > 1 ? `any of ${fits}` : funnel.chosen.name
    return {
      starts: true,
      icon: CircleCheck,
      tone: 'good',
      short: `Starts on ${where}`,
      full: `It would run on ${funnel.chosen.name}.`,
    }
  }
  const isStuck = reasonSeverity(funnel.reason.code) !== 'info' || isTooLarge(funnel.reason)
  const full = `${sentence(reasonText(funnel.reason))}.`
  const short = shortWait(funnel.reason)
  return isStuck
    ? { starts: false, icon: CircleSlash, tone: 'ink-2', short, full }
    : { starts: false, icon: CircleDashed, tone: 'wait', short, full }
}

const SHORT: Partial<Record<ReasonCode, string>> = {
  no_machine: 'No machine yet',
  waiting_no_gpu_class: 'No machine has one',
  waiting_no_gpus: 'No machine has a GPU',
  waiting_gpu_class_elsewhere: 'Not on a usable machine',
  waiting_runtime: 'No machine can run it',
  waiting_isolation: 'Not isolated enough',
  waiting_not_shared: 'Not shared with you',
  waiting_folders: 'Folders not allowed',
  waiting_reserved: 'Waits for its turn',
  waiting_quarantine: 'Waits: quarantine',
  waiting_region: 'Not in that region',
  waiting_machines_away: 'No machine answers',
  waiting_machine_away: 'That machine is away',
  waiting_chosen_away: 'That machine is away',
  waiting_machine_closed: 'That machine takes none',
  waiting_machine_gone: 'That machine is gone',
}

/** The wait in a few words; a number where one says more. */
function shortWait({ code, args }: Reason): string {
  const n = (key: string) => (typeof args[key] === 'number' ? args[key] : null)
  const [free, total] = [n('free') ?? n('freeBytes'), n('total') ?? n('totalBytes')]
  const neverFits = total !== null && isTooLarge({ code, args })
  if (code === 'waiting_all_busy') return n('free') === null ? 'Waits for a free GPU' : `Waits, ${n('free')} free`
  if (code === 'waiting_gpus_too_many') return `At most ${n('largest') ?? 0} on one machine`
  if (code === 'waiting_cpu')
    return neverFits
      ? `Largest has ${counted(total, 'CPU')}`
      : free === null
        ? 'Waits for CPU'
        : `Waits, ${counted(free, 'CPU')} free`
  if (code === 'waiting_memory' || code === 'waiting_disk') {
    if (neverFits) return `Largest has ${bytesText(total)}`
    return free === null ? `Waits for ${code === 'waiting_disk' ? 'disk' : 'memory'}` : `Waits, ${bytesText(free)} free`
  }
  return SHORT[code] ?? sentence(reasonText({ code, args }))
}

/** Asks for more than the largest machine has: no wait will help. */
function isTooLarge({ args }: Reason): boolean {
  const [asked, total] = [args.asked ?? args.askedBytes, args.total ?? args.totalBytes]
  return typeof asked === 'number' && typeof total === 'number' && asked > total
}

/** The machines by what the placement says of them: "1 fits · 2 lack the GPU class". Pure. */
export function machinesText(funnel: Funnel): string[] {
  const fits = funnel.machines.filter((m) => m.droppedBy === null).length
  const dropped = funnel.rows.filter((row) => row.dropped > 0).map((row) => `${row.dropped} ${droppedText(funnel, row.filter)}`)
  return [...(fits > 0 ? [`${fits} ${fits === 1 ? 'machine fits' : 'machines fit'}`] : []), ...dropped]
}

/** Folders are looked at with sharing: where they are what is missing, that is said. */
function droppedText({ reason }: Funnel, filter: Funnel['rows'][number]['filter']): string {
  return filter === 'sharing' && reason.code === 'waiting_folders' ? 'without these folders' : DROPPED[filter]
}

const DROPPED: Record<Funnel['rows'][number]['filter'], string> = {
  region: 'elsewhere',
  sharing: 'not shared with you',
  isolation: 'not isolated enough',
  online: 'not usable now',
  runtime: 'without the runtime',
  gpu_class: 'without the GPU class',
  devices: 'without free GPUs',
  cpu: 'without free CPU',
  memory: 'without free memory',
  disk: 'without free disk',
  workspace: 'without the workspace',
}
