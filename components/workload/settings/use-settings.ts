'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import { toast } from '@/components/ui/toast'
import type { WorkloadView } from '@/domain/views'
import type { WorkloadSettings } from '@/domain/workloads'
import { hasChanged, settingsErrors, whyNotChange } from './settings-rules'

/** The settings as they are being changed. What is not changed follows the workload, also when somebody else changes it. */
export function useSettings(workload: WorkloadView) {
  const { workloads } = useTRPC()
  const client = useQueryClient()
  const [changes, setChanges] = useState<Partial<WorkloadSettings>>({})
  const update = useMutation(workloads.setSettings.mutationOptions())
  const draft = { ...workload.settings, ...changes }
  const failure = update.error ? failureOf(update.error) : null
  const refused = failure && fieldOf(failure)
  const change = (next: Partial<WorkloadSettings>) => {
    update.reset()
    setChanges({ ...changes, ...next })
  }
  const save = async () => {
    try {
      await update.mutateAsync({ id: workload.id, settings: draft })
      await client.invalidateQueries({ queryKey: workloads.get.queryKey({ id: workload.id }) })
      setChanges({})
      toast({ text: 'Settings saved', tone: 'good' })
    } catch (error) {
      const said = failureOf(error)
      if (!fieldOf(said)) toast({ text: said.text, tone: 'bad' })
    }
  }
  const errors = settingsErrors(draft)
  const isDirty = hasChanged(workload.settings, draft)
  return {
    draft,
    errors: refused ? { ...errors, [refused.field.replace(/^settings\./, '')]: refused.limit } : errors,
    change,
    save: () => void (isDirty && Object.keys(errors).length === 0 && save()),
    reset: () => setChanges({}),
    isDirty,
    isSaving: update.isPending,
    whyNot: whyNotChange(workload),
  }
}
