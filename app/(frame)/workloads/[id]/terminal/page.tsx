import { SessionPage } from '@/components/terminal/session-page'
import { Hydrated, requireViewer, serverCaller } from '../../../../server-api'

export const metadata = { title: 'Session' }

type Props = { params: Promise<{ id: string }> }

export default async function Page({ params }: Props) {
  const { id } = await params
  const person = await requireViewer(`/workloads/${id}/terminal`)
  const { dataOrigin } = await (await serverCaller()).system.info()
  return (
    <Hydrated ask={({ trpc, client }) => [client.prefetchQuery(trpc.workloads.get.queryOptions({ id }))]}>
      <SessionPage id={id} me={person.name} url={`${dataOrigin.replace(/^http/, 'ws')}/terminal`} />
    </Hydrated>
  )
}
