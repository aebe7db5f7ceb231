import type { ReactNode } from 'react'
import { Frame } from '@/components/frame/frame'
import { Hydrated, serverCaller, viewer } from '../server-api'

export default async function FrameLayout({ children }: { children: ReactNode }) {
  const person = await viewer()
  // Nobody is signed in: the page itself leads to the sign-in, because it knows the way back.
  if (!person) return children
  const { version } = await (await serverCaller()).system.info()
  return (
    <Hydrated
      ask={({ trpc, client }) => [
        client.prefetchQuery(trpc.me.get.queryOptions()),
        client.prefetchQuery(trpc.workloads.counts.queryOptions()),
        client.prefetchQuery(trpc.machines.list.queryOptions()),
        client.prefetchQuery(trpc.system.info.queryOptions()),
      ]}
    >
      <Frame person={person} tenantName={person.tenant.name} theme={person.theme} version={version}>
        {children}
      </Frame>
    </Hydrated>
  )
}
