'use client'
import { useQuery } from '@tanstack/react-query'
import { mayCreate } from '@/domain/kinds'
import { useTRPC } from './client'

/** May this person start something here? False until it is known, so that nothing is offered and then taken away. */
export function useMayCreate(): boolean {
  const { data } = useQuery(useTRPC().me.get.queryOptions())
  return data !== undefined && mayCreate(data.role)
}
