import { NewPage } from '@/components/new/new-page'
import { RECENT } from '@/components/new/queries'
import { KIND_NAMES } from '@/domain/kinds'
import { Hydrated, requireViewer } from '../../server-api'

export const metadata = { title: 'New workload' }

type Props = { searchParams: Promise<{ kind?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const { kind: wanted } = await searchParams
  const kind = KIND_NAMES.find((k) => k === wanted) ?? null
  await requireViewer(kind ? `/new?kind=${kind}` : '/new')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        client.prefetchQuery(trpc.workloads.list.queryOptions(RECENT)),
      ]}
    >
      <NewPage key={kind} kind={kind} />
    </Hydrated>
  )
}
