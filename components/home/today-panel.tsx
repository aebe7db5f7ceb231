'use client'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { workloadPath } from '@/components/frame/routes'
import { stateLook } from '@/components/frame/state-look'
import { Link } from '@/components/ui/link'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { TONE_TEXT } from '@/components/ui/tone'
import { reasonText } from '@/domain/reasons'
import type { WorkloadView } from '@/domain/views'
import { HOME_TODAY } from './queries'
import { changedToday } from './summary'

const SHOWN_MAX = 8

/** The last change of each of the person's workloads since midnight. */
export function TodayPanel() {
  const trpc = useTRPC()
  const query = useQuery(trpc.workloads.list.queryOptions(HOME_TODAY))
  const midnight = useMidnight()
  const rows = query.data && midnight !== null ? changedToday(query.data.rows, midnight).slice(0, SHOWN_MAX) : null
  return (
    <Panel aria-label="Today">
      <PanelHead title="Today" />
      {query.isError && !query.data ? (
        <QueryFailed error={query.error} what="What changed" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : rows === null ? (
        <SkeletonRows rows={2} />
      ) : rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">Nothing of yours changed today.</p>
      ) : (
        <ul className="py-1">
          {rows.map((row) => (
            <TodayRow key={row.id} workload={row} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function TodayRow({ workload }: { workload: WorkloadView }) {
  const { icon: Icon, tone, word } = stateLook(workload)
  const isGrave = tone === 'bad' || tone === 'warn'
  return (
    <li className="relative flex min-h-8 items-center gap-3 px-4 py-1 max-md:min-h-10">
      <Moment at={workload.stateSince} className="num w-10 shrink-0 text-small text-ink-3" />
      <Icon className={`size-3.5 shrink-0 ${isGrave ? TONE_TEXT[tone] : 'text-ink-3'}`} aria-label={word} />
      <p className="min-w-0 truncate text-ink-2">
        <Link
          href={workloadPath(workload.id)}
          className="rounded-sm font-medium text-ink hover:underline max-md:after:absolute max-md:after:inset-0"
        >
          {workload.name}
        </Link>{' '}
        {workload.reason ? reasonText(workload.reason) : word.toLowerCase()}
      </p>
    </li>
  )
}

/** Midnight where the reader is; the server does not know that, so it is known after the page has loaded. */
function useMidnight(): number | null {
  return useSyncExternalStore(
    () => () => {},
    () => new Date().setHours(0, 0, 0, 0),
    () => null,
  )
}
