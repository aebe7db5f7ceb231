'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { isTerminal, STATE_NAMES } from '@/domain/states'

/** How many live workloads and machines there are; undefined until known. */
export function useCounts(): { workloads: number | undefined; machines: number | undefined } {
  const trpc = useTRPC()
  const states = useQuery(trpc.workloads.counts.queryOptions())
  const machines = useQuery(trpc.machines.list.queryOptions())
  const live = STATE_NAMES.filter((state) => !isTerminal(state))
  const counts = states.data
  return {
    workloads: counts && live.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    machines: machines.data?.length,
  }
}
