import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { Suspense } from 'react'
import { FIRST_ENTRIES } from '@/components/workload/timeline-page'
import { WorkloadPage } from '@/components/workload/workload-page'
import { Hydrated, requireViewer, workloadOfPage } from '../../../server-api'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  return { title: (await workloadOfPage((await params).id))?.name ?? 'Workload' }
}

export default async function Page({ params }: Props) {
  const { id } = await params
  await requireViewer(`/workloads/${id}`)
  const initial = await workloadOfPage(id)
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.workloads.events.queryOptions({ id, limit: FIRST_ENTRIES })),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        // The panels of what waits are as high as its decision is long.
        ...(initial?.state === 'queued' ? [client.prefetchQuery(trpc.workloads.why.queryOptions({ id }))] : []),
      ]}
    >
      <NuqsAdapter>
        <Suspense>
          <WorkloadPage id={id} initial={initial} readAt={Date.now()} />
        </Suspense>
      </NuqsAdapter>
    </Hydrated>
  )
}
