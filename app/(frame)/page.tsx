import { HomePage } from '@/components/home/home-page'
import { HOME_LIST, HOME_TODAY } from '@/components/home/queries'
import { Hydrated, requireViewer } from '../server-api'

export const metadata = { title: 'Home' }

export default async function Page() {
  await requireViewer('/')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.workloads.list.queryOptions(HOME_LIST)),
        client.prefetchQuery(trpc.workloads.list.queryOptions(HOME_TODAY)),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
      ]}
    >
      <HomePage />
    </Hydrated>
  )
}
