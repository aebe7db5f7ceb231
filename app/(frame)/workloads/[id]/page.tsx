import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { Suspense } from 'react'
import { WorkloadPage } from '@/components/workload/workload-page'
import { Hydrated, requireViewer } from '../../../server-api'

export const metadata = { title: 'Workload' }

type Props = { params: Promise<{ id: string }> }

export default async function Page({ params }: Props) {
  const { id } = await params
  await requireViewer(`/workloads/${id}`)
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.workloads.get.queryOptions({ id })),
        client.prefetchQuery(trpc.workloads.events.queryOptions({ id, afterSeq: 0 })),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
      ]}
    >
      <NuqsAdapter>
        <Suspense>
          <WorkloadPage id={id} />
        </Suspense>
      </NuqsAdapter>
    </Hydrated>
  )
}
