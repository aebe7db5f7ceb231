'use client'
import { useQuery } from '@tanstack/react-query'
import { Ghost, Lock } from 'lucide-react'
import Link from 'next/link'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { QueryFailed } from '@/components/api/query-failed'
import { workloadPath } from '@/components/frame/routes'
import { usePanel } from '@/components/session/use-panel'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { WorkloadView } from '@/domain/views'
import { SessionScreen } from './session-screen'

type Props = { id: string; initial?: WorkloadView | undefined; readAt: number; me: string; url: string }

/** A session, filling the window: its terminal, who types, and what is beside it. */
export function SessionPage({ id, initial, readAt, me, url }: Props) {
  const query = useQuery(useTRPC().workloads.get.queryOptions({ id }, { initialData: initial, initialDataUpdatedAt: readAt }))
  const workload = query.data
  const panel = usePanel()
  if (workload?.kind === 'session') {
    if (!workload.may.includes('workload.watch')) return <NotYours id={id} />
    // Each run of the workload is a terminal of its own: what one knew of the other would only mislead it.
    const run = `${workload.id}/${workload.workloadGen}`
    return <SessionScreen key={run} workload={workload} me={me} url={url} panel={panel} />
  }
  if (query.isPending) return <SkeletonRows rows={4} className="w-full" />
  const { code } = failureOf(query.error)
  if (workload || code === 'not_found' || code === 'invalid') {
    return (
      <Empty
        isPage
        icon={Ghost}
        title="No such session"
        className="m-auto"
        action={
          <Link href="/workloads" className={buttonClass({ size: 'sm' })}>
            All workloads
          </Link>
        }
      >
        {workload ? 'This workload has no terminal.' : 'It may have been removed long ago, or it is not shared with you.'}
      </Empty>
    )
  }
  return (
    <QueryFailed error={query.error} what="This session" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
  )
}

/** Whoever may see its facts for the tenant's sake does not thereby see what is typed in it. */
function NotYours({ id }: { id: string }) {
  return (
    <Empty
      isPage
      icon={Lock}
      title="You may see its facts, not its terminal"
      className="m-auto"
      action={
        <Link href={workloadPath(id)} className={buttonClass({ size: 'sm' })}>
          Facts and timeline
        </Link>
      }
    >
      Its owner did not share it with you. What it does and which machine it holds is on its own page.
    </Empty>
  )
}
