import { SessionPage } from '@/components/terminal/session-page'
import { requireViewer, serverCaller } from '../../../../server-api'

export const metadata = { title: 'Session' }

type Props = { params: Promise<{ id: string }> }

export default async function Page({ params }: Props) {
  const { id } = await params
  const person = await requireViewer(`/workloads/${id}/terminal`)
  const caller = await serverCaller()
  const { dataOrigin } = await caller.system.info()
  // What cannot be read here is asked again by the page, which shows why.
  const initial = await caller.workloads.get({ id }).catch(() => undefined)
  return <SessionPage id={id} initial={initial} me={person.name} url={`${dataOrigin.replace(/^http/, 'ws')}/terminal`} />
}
