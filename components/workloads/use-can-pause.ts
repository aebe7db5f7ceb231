'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import type { WorkloadView } from '@/domain/views'
import { availability, canFreeze } from './actions'

/** Whether this workload can be paused now: its state, the permission, and a machine that can freeze programs. */
export function useCanPause(workload: WorkloadView): boolean {
  const isTime = availability('pause', workload).can
  const { data } = useQuery(useTRPC().machines.list.queryOptions(undefined, { enabled: isTime }))
  return isTime && canFreeze(workload, data ?? [])
}
