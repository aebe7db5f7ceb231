'use client'
import { useMutation } from '@tanstack/react-query'
import { LIMITS } from '@/domain/limits'
import { type Kept, type SearchResult, searchKept } from './data-host'
import type { DataHost } from './use-data-host'

const SEARCH_MS = 30_000

/** A search in all that the machine keeps, not only in what is shown. */
export function useSearch(host: DataHost | null, source: Kept, placementId: string | null = null) {
  return useMutation({
    mutationFn: async (text: string): Promise<SearchResult & { text: string }> => {
      if (!host) throw new Error('the data host is not known yet')
      const call = { origin: host.origin, ticket: await host.getTicket(source), signal: AbortSignal.timeout(SEARCH_MS) }
      const ask = { source, placementId, text, limit: LIMITS.searchMatchesMax }
      return { ...(await searchKept(call, ask)), text }
    },
  })
}
