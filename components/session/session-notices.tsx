'use client'
import { ShieldX } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { isUnisolated } from '@/components/machines/isolation-words'
import { Button } from '@/components/ui/button'
import { NoticeBar } from '@/components/ui/notice-bar'
import { OutdatedNotice } from '@/components/workload/outdated-notice'
import { StopNotice } from '@/components/workload/stop-notice'
import { useTimeline } from '@/components/workload/use-timeline'
import type { WorkloadView } from '@/domain/views'
import { freshRefusal, refusedHosts, timesWords, whyRefused } from './network-words'

const NoSandboxBar = dynamic(() => import('./no-sandbox-bar').then((m) => m.NoSandboxBar), { loading: () => null })

type Props = { workload: WorkloadView; onNetwork: () => void }

/** What a person should know above the terminal that the terminal itself does not tell: a stop that is near, no sandbox, a refused host. */
export function SessionNotices({ workload, onNetwork }: Props) {
  const { events } = useTimeline(workload.id)
  const [dismissedSeq, setDismissedSeq] = useState(0)
  const { placement } = workload
  const refused = freshRefusal(refusedHosts(events), dismissedSeq, Date.now())
  return (
    <>
      <StopNotice workload={workload} />
      <OutdatedNotice workload={workload} />
      {placement && isUnisolated(placement.driver) ? <NoSandboxBar machineId={placement.machineId} /> : null}
      {refused ? (
        <NoticeBar
          icon={ShieldX}
          title="Refused:"
          actions={
            <Button size="xs" onClick={onNetwork}>
              Network
            </Button>
          }
          onDismiss={() => setDismissedSeq(refused.lastSeq)}
        >
          <span className="font-mono text-small text-ink [overflow-wrap:anywhere]">{refused.host}</span> was asked for{' '}
          {timesWords(refused.times)}. {whyRefused(refused.host)}
        </NoticeBar>
      ) : null}
    </>
  )
}
