import { cache } from 'react'
import { SessionPage } from '@/components/terminal/session-page'
import { requireViewer, serverCaller } from '../../../../server-api'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  return { title: (await known((await params).id))?.name ?? 'Session' }
}

/** What cannot be read here is asked again by the page, which shows why. */
const known = cache(async (id: string) => {
  const caller = await serverCaller()
  return caller.workloads.get({ id }).catch(() => undefined)
})

export default async function Page({ params }: Props) {
  const { id } = await params
  const person = await requireViewer(`/workloads/${id}/terminal`)
  const { dataOrigin } = await (await serverCaller()).system.info()
  const initial = await known(id)
  return <SessionPage id={id} initial={initial} me={person.name} url={`${dataOrigin.replace(/^http/, 'ws')}/terminal`} />
}
