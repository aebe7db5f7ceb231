'use client'
import { ShieldX, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { StopBanner } from '@/components/workload/stop-banner'
import { useTimeline } from '@/components/workload/use-timeline'
import type { WorkloadView } from '@/domain/views'
import { freshRefusal, refusedHosts, timesWords } from './network-words'

type Props = { workload: WorkloadView; onNetwork: () => void }

/** What a person should know above the terminal that the terminal itself does not tell: a stop that is near, a refused host. */
export function SessionNotices({ workload, onNetwork }: Props) {
  const { events } = useTimeline(workload.id)
  const [dismissedSeq, setDismissedSeq] = useState(0)
  const refused = freshRefusal(refusedHosts(events), dismissedSeq, Date.now())
  return (
    <>
      <StopBanner workload={workload} className="shrink-0 border-b border-line" />
      {refused ? (
        <div role="status" className="flex min-h-10 shrink-0 items-center gap-3 border-b border-line bg-warn-soft py-1 pr-2 pl-4">
          <ShieldX className="size-4 shrink-0 text-warn" strokeWidth={1.75} aria-hidden />
          <p className="min-w-0 flex-1">
            <span className="font-medium text-warn">Refused:</span>{' '}
            <span className="font-mono text-small [overflow-wrap:anywhere]">{refused.host}</span>
            <span className="text-ink-2"> was asked for {timesWords(refused.times)} and is not on the list</span>
          </p>
          <Button size="xs" onClick={onNetwork}>
            Network
          </Button>
          <IconButton icon={X} label="Dismiss" size="xs" onClick={() => setDismissedSeq(refused.lastSeq)} />
        </div>
      ) : null}
    </>
  )
}
