import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { makeQueryClient } from '@/components/api/query-client'
import { contextOf } from '@/server/api/context'
import { type AppRouter, appRouter, createCaller } from '@/server/api/root'

const context = cache(async () => contextOf(await headers()))

/** Calls procedures for the person whose request this is, without HTTP. */
export async function serverCaller() {
  return createCaller(await context())
}

/** Who is signed in, and where; null when nobody is. Asked once for each request. */
export const viewer = cache(async () => {
  const ctx = await context()
  return ctx.caller ? createCaller(ctx).me.get() : null
})

/** Who is signed in; a page for nobody leads to the sign-in and back to `path`, or to the set-up while there is no account. */
export async function requireViewer(path: string) {
  const person = await viewer()
  if (person) return person
  const { isOpen } = await (await serverCaller()).setup.status()
  redirect(isOpen ? '/setup' : path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
}

/** A workload for its page, asked once for each request; ends in 404 where there is none. What cannot be read here is asked again by the page, which shows why. */
export const workloadOfPage = cache(async (id: string) => {
  const caller = await serverCaller()
  return caller.workloads.get({ id }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') notFound()
    return undefined
  })
})

/** Query options by procedure, and the cache that the page will get. */
export type Queries = { trpc: TRPCOptionsProxy<AppRouter>; client: QueryClient }
type Ask = (queries: Queries) => Promise<unknown>[]

/**
 * Asks the first data on the server and hands it to the page's hooks, which then find it in the cache. What fails here is
 * asked again by the page, which shows the error.
 */
export async function Hydrated({ ask, children }: { ask: Ask; children: ReactNode }) {
  const client = makeQueryClient()
  const trpc = createTRPCOptionsProxy({ ctx: context, router: appRouter, queryClient: client })
  await Promise.allSettled(ask({ trpc, client }))
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
