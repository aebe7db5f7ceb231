'use client'
import { useQuery } from '@tanstack/react-query'
import { notSharedWith } from '@/domain/sharing'
import type { MachineView } from '@/domain/views'
import { useTRPC } from './client'

type Parted = { open: readonly MachineView[]; closed: readonly MachineView[] }

/** The machines that take this person's work, and those that do not; none of either until both are known. */
export function useOpenMachines(): Parted {
  const trpc = useTRPC()
  const me = useQuery(trpc.me.get.queryOptions()).data
  const machines = useQuery(trpc.machines.list.queryOptions()).data
  if (!me || !machines) return { open: [], closed: [] }
  const isOpen = (machine: MachineView) => notSharedWith(machine, { tenantId: me.tenant.id, ownerId: me.id }) === null
  return { open: machines.filter(isOpen), closed: machines.filter((machine) => !isOpen(machine)) }
}
