import { defaultShouldDehydrateQuery, QueryClient } from '@tanstack/react-query'

/** Data stays fresh by the live subscription; this is only how long a page that lost it may show what it has. */
const STALE_MS = 60_000
const RETRIES = 2

/**
 * One cache: per page render on the server, per tab in the browser. Berth is mostly on this very computer: a browser that believes
 * to be offline asks and sends all the same.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: STALE_MS,
        retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
      dehydrate: { shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) },
    },
  })
}

/** A refusal stays a refusal; only a lost connection or a server in trouble is asked again. */
function isWorthRetrying(error: unknown): boolean {
  const status = statusOf(error)
  return status === null || status >= 500
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('data' in error)) return null
  const { data } = error
  if (typeof data !== 'object' || data === null || !('httpStatus' in data)) return null
  return typeof data.httpStatus === 'number' ? data.httpStatus : null
}
