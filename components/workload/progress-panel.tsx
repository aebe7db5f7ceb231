'use client'
import { Circle, CircleCheck, LoaderCircle } from 'lucide-react'
import { Meter } from '@/components/ui/meter'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import { progressAmount } from '@/components/workloads/words'
import type { Kind } from '@/domain/kinds'
import type { WorkloadView } from '@/domain/views'
import type { Progress } from '@/domain/workloads'

type Stage = { stage: Progress['stage']; label: string }

const CREATE: Stage = { stage: 'creating', label: 'Make its workspace and sandbox' }
const START: Stage = { stage: 'starting', label: 'Start it' }
/** The stages of a start, in order. A stage that is cached passes at once. */
const STAGES: Record<Kind, readonly Stage[]> = {
  notebook: [
    CREATE,
    { stage: 'environment', label: 'Make the environment of its server' },
    { stage: 'packages', label: 'Install its server' },
    { stage: 'kernel', label: 'Install the kernel and your packages' },
    START,
  ],
  endpoint: [CREATE, { stage: 'environment', label: 'Make the environment of its server' }, START],
  session: [CREATE, START],
}

/** How far a start is: the stages, and what the present one has done of how much. */
export function ProgressPanel({ workload }: { workload: WorkloadView }) {
  const stages = STAGES[workload.kind]
  const current = workload.progress?.stage ?? 'creating'
  const at = Math.max(
    0,
    stages.findIndex(({ stage }) => stage === current),
  )
  return (
    <Panel aria-label="Starting">
      <PanelHead
        title="Starting"
        meta={
          <>
            for <Age at={workload.stateSince} />
            {workload.placement ? ` on ${workload.placement.machineName}` : null}
          </>
        }
      />
      <ol className="py-2">
        {stages.map(({ stage, label }, i) => (
          <StageLine
            key={stage}
            label={label}
            place={i < at ? 'done' : i === at ? 'now' : 'later'}
            progress={i === at ? workload.progress : null}
          />
        ))}
      </ol>
    </Panel>
  )
}

const LOOK = {
  done: { icon: CircleCheck, className: 'text-good', word: 'done' },
  now: { icon: LoaderCircle, className: 'animate-spin text-wait', word: 'now' },
  later: { icon: Circle, className: 'text-ink-3', word: 'to come' },
} as const

function StageLine({ label, place, progress }: { label: string; place: keyof typeof LOOK; progress: Progress | null }) {
  const { icon: Icon, className, word } = LOOK[place]
  const amount = progress ? progressAmount(progress) : null
  const share = progress && progress.done !== null && progress.total ? progress.done / progress.total : null
  return (
    <li className="flex gap-3 px-4 py-1.5" aria-current={place === 'now' ? 'step' : undefined}>
      <Icon className={`mt-0.75 size-3.5 shrink-0 ${className}`} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-3">
          <span className={place === 'later' ? 'text-ink-3' : place === 'now' ? 'font-medium' : 'text-ink-2'}>{label}</span>
          <span className="sr-only">, {word}</span>
          {amount ? <span className="num ml-auto text-small text-ink-2">{amount}</span> : null}
        </p>
        {share === null ? null : <Meter value={share} label={label} isProgress className="mt-1.5 block w-full" />}
        {progress?.detail ? <p className="truncate font-mono text-small text-ink-3">{progress.detail}</p> : null}
      </div>
    </li>
  )
}
