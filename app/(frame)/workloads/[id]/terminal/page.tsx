import { SessionPage } from '@/components/terminal/session-page'
import { requireViewer, serverCaller, workloadOfPage } from '../../../../server-api'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  return { title: (await workloadOfPage((await params).id))?.name ?? 'Session' }
}

export default async function Page({ params }: Props) {
  const { id } = await params
  const person = await requireViewer(`/workloads/${id}/terminal`)
  const { dataOrigin } = await (await serverCaller()).system.info()
  const initial = await workloadOfPage(id)
  const url = `${dataOrigin.replace(/^http/, 'ws')}/terminal`
  return <SessionPage id={id} initial={initial} readAt={Date.now()} me={person.name} url={url} />
}
