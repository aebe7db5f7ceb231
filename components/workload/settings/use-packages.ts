'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import { linesOf } from '@/components/new/draft'
import { wrongPackage } from '@/components/new/wrong-package'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'
import { whyNotRepack } from './settings-rules'

/** The packages of a notebook as they are being changed. */
export function usePackages(workload: WorkloadView) {
  const { workloads } = useTRPC()
  const client = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const update = useMutation(workloads.setRequirements.mutationOptions())
  const kept = workload.spec.requirements.join('\n')
  const text = typed ?? kept
  const requirements = linesOf(text)
  const failure = update.error ? failureOf(update.error) : null
  const error = wrongPackage(requirements) ?? (failure && (fieldOf(failure)?.limit ?? failure.text))
  const change = (next: string | null) => {
    update.reset()
    setTyped(next)
  }
  const save = async () => {
    const saved = await update.mutateAsync({ id: workload.id, requirements }).catch(() => null) // shown from the mutation
    if (!saved) return
    await client.invalidateQueries({ queryKey: workloads.get.queryKey({ id: workload.id }) })
    setTyped(null)
    toast({ text: 'Packages saved: its next start installs them', tone: 'good' })
  }
  const isDirty = requirements.join('\n') !== kept
  return {
    text,
    error: error ?? undefined,
    change,
    save: () => void (isDirty && wrongPackage(requirements) === null && save()),
    isDirty,
    isSaving: update.isPending,
    whyNot: whyNotRepack(workload),
  }
}
