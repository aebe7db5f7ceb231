'use client'
import { ScrollText } from 'lucide-react'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { stateLook } from '@/components/frame/state-look'
import { Button, buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { TONE_TEXT } from '@/components/ui/tone'
import { leadText } from '@/components/workload/facts'
import { LogLink } from '@/components/workload/logs/log-link'
import { hasRecord } from '@/components/workload/logs/record-link'
import { ProgressPanel } from '@/components/workload/progress-panel'
import { ACTIONS, availability, type WorkloadAction } from '@/components/workloads/actions'
import { StartButtons } from '@/components/workloads/start-buttons'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'

type Props = { workload: WorkloadView; onRecord: () => void; onDelete: () => void }

/** A session without a terminal now: how it is, why, and what helps. The terminal opens here by itself when it runs. */
export function NotRunning({ workload, onRecord, onDelete }: Props) {
  const actions = useWorkloadActions()
  const look = stateLook(workload)
  const Icon = look.icon
  const can = (action: WorkloadAction) => availability(action, workload).can
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-4 overflow-auto bg-canvas px-4 py-6 text-center">
      <div>
        <Icon
          className={cn('mx-auto size-5', TONE_TEXT[look.tone], look.isMoving && 'animate-spin')}
          strokeWidth={1.75}
          aria-hidden
        />
        <p className="mt-2 font-medium">{look.word}</p>
        {workload.state === 'provisioning' ? null : <p className="max-w-120 text-ink-2">{leadText(workload, Date.now())}</p>}
        <p className="text-small text-ink-3">{isComing(workload) ? 'The terminal opens here by itself.' : null}</p>
      </div>
      {workload.state === 'provisioning' ? (
        <div className="w-full max-w-120 text-left">
          <ProgressPanel workload={workload} />
        </div>
      ) : null}
      <div className="flex flex-wrap justify-center gap-2">
        <StartButtons workload={workload} actions={actions} />
        <LogLink workload={workload} size="md" />
        {hasRecord(workload) ? (
          <Button onClick={onRecord}>
            <ScrollText className="size-3.5 shrink-0 text-ink-2" aria-hidden />
            Read what it printed
          </Button>
        ) : null}
        <Link href={workloadPath(workload.id)} className={buttonClass()}>
          {workload.state === 'queued' ? 'Why it waits' : 'Facts and timeline'}
        </Link>
        {can('delete') && !isComing(workload) ? (
          <Button kind="danger" onClick={onDelete}>
            {ACTIONS.delete.label}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function isComing({ state }: WorkloadView): boolean {
  return state === 'queued' || state === 'provisioning'
}
