'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { workloadPath } from '@/components/frame/routes'
import { toast } from '@/components/ui/toast'
import { availability } from '@/components/workloads/actions'
import type { WorkloadView } from '@/domain/views'
import type { WorkloadSpec } from '@/domain/workloads'

/**
 * Starts a changed request. A workload that was never placed is replaced by it and hands on its name; one that has files
 * somewhere goes on waiting beside it. The new one exists before the old one goes: nothing is lost half-way.
 */
export function useChange(workload: WorkloadView, spec: WorkloadSpec) {
  const { workloads } = useTRPC()
  const router = useRouter()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const create = useMutation(workloads.create.mutationOptions())
  const remove = useMutation(workloads.delete.mutationOptions())
  const rename = useMutation(workloads.rename.mutationOptions())
  const isReplacing = workload.isOwn && workload.workloadGen === 0 && availability('delete', workload).can
  const start = async () => {
    const created = await create.mutateAsync({ kind: workload.kind, name: '', spec, idempotencyKey })
    if (isReplacing) {
      await remove.mutateAsync({ id: workload.id })
      await rename.mutateAsync({ id: created.id, name: workload.name })
    }
    return created
  }
  const startAndGo = async () => {
    try {
      router.push(workloadPath((await start()).id))
    } catch (error) {
      toast({ text: `The change was not made in full. ${failureOf(error).text}`, tone: 'bad' })
    }
  }
  return { isReplacing, isBusy: create.isPending || remove.isPending || rename.isPending, startAndGo }
}
