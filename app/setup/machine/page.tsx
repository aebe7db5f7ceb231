import { SetupMachinePage } from '@/components/setup/machine-page'
import { runtime } from '@/server/auth/runtime'
import { Hydrated, requireViewer } from '../../server-api'

export const metadata = { title: 'Set up' }

export default async function Page() {
  await requireViewer('/setup/machine')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        client.prefetchQuery(trpc.catalog.get.queryOptions()),
      ]}
    >
      <SetupMachinePage version={runtime().version} />
    </Hydrated>
  )
}
