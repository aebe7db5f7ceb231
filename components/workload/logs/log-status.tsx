'use client'
import { LoaderCircle, ScrollText, Unplug } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { LogStatus } from './follow-log'

type Props = { status: LogStatus; hasLines: boolean; dropped: number; onRetry: () => void }

/** How the log is: what it waits for, why it cannot be read, or that there is nothing in it. */
export function LogStatusLine({ status, hasLines, dropped, onRetry }: Props) {
  if (status.is === 'waiting') return <Waiting why={status.why} />
  if (status.is === 'refused') return <NotReadable status={status} onRetry={onRetry} />
  if (hasLines) return dropped > 0 ? <Dropped count={dropped} /> : null
  if (status.is === 'connecting') return <SkeletonRows rows={3} />
  return (
    <Empty icon={ScrollText} title="Nothing printed yet" className="flex-1">
      {status.is === 'open' ? 'Lines appear here as they come.' : 'It ended without a line.'}
    </Empty>
  )
}

function Waiting({ why }: { why: string }) {
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-2 text-small">
      <LoaderCircle className="size-3.5 shrink-0 animate-spin text-warn" aria-hidden />
      <span>
        <span className="font-medium text-warn">Reconnecting.</span> {why} Nothing that is printed is lost.
      </span>
    </p>
  )
}

function NotReadable({ status, onRetry }: { status: Extract<LogStatus, { is: 'refused' }>; onRetry: () => void }) {
  const isNothing = status.code === 'not_found'
  return (
    <Empty
      className="flex-1"
      icon={isNothing ? ScrollText : Unplug}
      title={isNothing ? 'Nothing is kept of this log' : 'This log cannot be read now'}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {isNothing ? 'It was not printed yet, or its run is too long ago.' : status.why}
    </Empty>
  )
}

function Dropped({ count }: { count: number }) {
  return (
    <p className="border-b border-line px-4 py-1 text-small text-ink-3">
      {count.toLocaleString('en-GB')} earlier lines are not shown here; search and download have them.
    </p>
  )
}
