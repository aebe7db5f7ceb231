'use client'
import { QueryFailed } from '@/components/api/query-failed'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { TONE_TEXT } from '@/components/ui/tone'
import type { WorkloadEvent } from '@/domain/workloads'
import { eventWords } from './timeline-words'
import { useTimeline } from './use-timeline'

/** What happened to a workload and why, newest first. */
export function TimelinePanel({ workloadId, first }: { workloadId: string; first?: number }) {
  const timeline = useTimeline(workloadId, first)
  return (
    <Panel aria-label="Timeline">
      <PanelHead
        title="Timeline"
        meta={timeline.total > 0 ? `${timeline.total} ${timeline.total === 1 ? 'entry' : 'entries'}` : null}
      />
      <TimelineList timeline={timeline} />
    </Panel>
  )
}

/** The lines alone, for places with a head of their own. */
export function TimelineList({ timeline }: { timeline: ReturnType<typeof useTimeline> }) {
  const { events, isPending, error, isFetching, hasOlder, isLoadingOlder } = timeline
  if (isPending) return <SkeletonRows rows={3} />
  if (error && events.length === 0)
    return <QueryFailed error={error} what="The timeline" onRetry={timeline.retry} isRetrying={isFetching} />
  const isDated = events.some((event) => !isToday(event.at))
  return (
    <>
      <ol className="relative py-2">
        {events.map((event, i) => (
          <Line key={event.id} event={event} isLast={i === events.length - 1} isDated={isDated} />
        ))}
      </ol>
      {hasOlder ? (
        <div className="border-t border-line px-4 py-2">
          <Button size="xs" kind="ghost" className="-ml-2" isBusy={isLoadingOlder} onClick={timeline.showOlder}>
            Show older
          </Button>
        </div>
      ) : null}
    </>
  )
}

type LineProps = { event: WorkloadEvent; isLast: boolean; isDated: boolean }

function Line({ event, isLast, isDated }: LineProps) {
  const { icon: Icon, tone, text, detail } = eventWords(event)
  return (
    <li className="relative flex gap-3 px-4 py-1">
      <Moment
        at={event.at}
        shape={isDated ? 'date' : 'clock'}
        className={cn('num shrink-0 pt-0.5 text-small whitespace-nowrap text-ink-3', isDated ? 'w-26' : 'w-10')}
      />
      <span className="relative flex w-3.5 shrink-0 justify-center">
        {isLast ? null : <span className="absolute top-5 -bottom-2 w-px bg-line" />}
        <span className={cn('relative mt-0.75 h-fit bg-surface', TONE_TEXT[tone])}>
          <Icon className="size-3.5 shrink-0" aria-hidden />
        </span>
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{text}</p>
        {detail ? <p className="text-small text-ink-3">{detail}</p> : null}
      </div>
    </li>
  )
}

function isToday(at: Date): boolean {
  return at.toDateString() === new Date().toDateString()
}
