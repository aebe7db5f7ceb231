import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { cache, Suspense } from 'react'
import { FIRST_ENTRIES } from '@/components/workload/timeline-page'
import { WorkloadPage } from '@/components/workload/workload-page'
import { Hydrated, requireViewer, serverCaller } from '../../../server-api'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  return { title: (await known((await params).id))?.name ?? 'Workload' }
}

/** What cannot be read here is asked again by the page, which shows why. */
const known = cache(async (id: string) => {
  const caller = await serverCaller()
  return caller.workloads.get({ id }).catch(() => undefined)
})

export default async function Page({ params }: Props) {
  const { id } = await params
  await requireViewer(`/workloads/${id}`)
  const initial = await known(id)
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.workloads.events.queryOptions({ id, limit: FIRST_ENTRIES })),
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
