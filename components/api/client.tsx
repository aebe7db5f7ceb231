'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { type ReactNode, useState } from 'react'
import superjson from 'superjson'
import { LIMITS } from '@/domain/limits'
import type { AppRouter } from '@/server/api/root'
import { makeQueryClient } from './query-client'

const api = createTRPCContext<AppRouter>()

/** Typed query and mutation options: `useQuery(useTRPC().workloads.list.queryOptions({…}))`. */
export const useTRPC = api.useTRPC
/** The plain client, for calls outside React Query (the live subscription, tickets on click). */
export const useTRPCClient = api.useTRPCClient

const URL_CHARS_MAX = 2000

/** Once around the app: the cache and the connection to the API. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient)
  const [trpcClient] = useState(makeClient)
  return (
    <QueryClientProvider client={queryClient}>
      <api.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </api.TRPCProvider>
    </QueryClientProvider>
  )
}

function makeClient() {
  const url = '/api/trpc'
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: httpSubscriptionLink({ url, transformer: superjson }),
        false: httpBatchLink({ url, transformer: superjson, maxURLLength: URL_CHARS_MAX, maxItems: LIMITS.batchMax }),
      }),
    ],
  })
}
