import { MachinesPage } from '@/components/machines/machines-page'
import { PLACED } from '@/components/machines/queries'
import { Hydrated, requireViewer } from '../../server-api'

export const metadata = { title: 'Machines' }

type Props = { searchParams: Promise<{ machine?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const { machine } = await searchParams
  const chosenId = typeof machine === 'string' ? machine : null
  await requireViewer(chosenId ? `/machines?machine=${encodeURIComponent(chosenId)}` : '/machines')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        client.prefetchQuery(trpc.workloads.list.queryOptions(PLACED)),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
        client.prefetchQuery(trpc.me.get.queryOptions()),
      ]}
    >
      <MachinesPage chosenId={chosenId} />
    </Hydrated>
  )
}
