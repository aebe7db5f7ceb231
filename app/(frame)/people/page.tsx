import { PeoplePage } from '@/components/people/people-page'
import { Hydrated, requireViewer } from '../../server-api'

export const metadata = { title: 'People & access' }

export default async function Page() {
  await requireViewer('/people')
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.me.get.queryOptions()),
        client.prefetchQuery(trpc.members.list.queryOptions()),
        client.prefetchQuery(trpc.tokens.list.queryOptions()),
        client.prefetchQuery(trpc.signIns.list.queryOptions()),
      ]}
    >
      <PeoplePage />
    </Hydrated>
  )
}
