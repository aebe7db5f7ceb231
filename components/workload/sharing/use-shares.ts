'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'

/** With whom a workload is shared, and the two ways to change that. */
export function useShares(workloadId: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const list = useQuery(trpc.shares.list.queryOptions({ workloadId }))
  const members = useQuery(trpc.members.list.queryOptions())
  const after = {
    onSuccess: () => client.invalidateQueries({ queryKey: trpc.shares.list.queryKey({ workloadId }) }),
    onError: (error: unknown) => toast({ text: failureOf(error).text, tone: 'bad' as const }),
  }
  const set = useMutation(trpc.shares.set.mutationOptions(after))
  const remove = useMutation(trpc.shares.remove.mutationOptions(after))
  return { list, members: members.data ?? [], set, remove }
}
