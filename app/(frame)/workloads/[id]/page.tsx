import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { Suspense } from 'react'
import { WorkloadPage } from '@/components/workload/workload-page'
import { Hydrated, requireViewer, serverCaller } from '../../../server-api'

export const metadata = { title: 'Workload' }

type Props = { params: Promise<{ id: string }> }

export default async function Page({ params }: Props) {
  const { id } = await params
  await requireViewer(`/workloads/${id}`)
  // What cannot be read here is asked again by the page, which shows why.
  const initial = await (await serverCaller()).workloads.get({ id }).catch(() => undefined)
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.workloads.events.queryOptions({ id, afterSeq: 0 })),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
      ]}
    >
      <NuqsAdapter>
        <Suspense>
          <WorkloadPage id={id} initial={initial} />
        </Suspense>
      </NuqsAdapter>
    </Hydrated>
  )
}
