'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import type { MachineView } from '@/domain/views'

/** Allowed folders of one machine: adds and takes away, one at a time. `error`: what is wrong with the last try. */
export function useMountRoots(machine: Pick<MachineView, 'id' | 'mountRoots'>) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [wrong, setWrong] = useState<string | null>(null)
  const save = useMutation(
    trpc.machines.setMountRoots.mutationOptions({
      onSettled: () => {
        // What would run where depends on it too.
        void queryClient.invalidateQueries(trpc.workloads.fit.queryFilter())
        return queryClient.invalidateQueries(trpc.machines.list.queryFilter())
      },
    }),
  )
  const set = async (roots: string[]): Promise<boolean> => {
    const saved = await save.mutateAsync({ id: machine.id, roots }).catch(() => null) // shown from the mutation
    return saved !== null
  }
  const add = async (typed: string): Promise<boolean> => {
    // The schemas come with the first folder, so that the page itself is light.
    const { addRoot } = await import('./add-root')
    const { roots, error } = addRoot(machine.mountRoots, typed)
    setWrong(error)
    save.reset()
    return roots ? set(roots) : false
  }
  const remove = (root: string) => {
    setWrong(null)
    return set(machine.mountRoots.filter((r) => r !== root))
  }
  const failure = save.error ? failureOf(save.error) : null
  const refused = failure && (fieldOf(failure)?.limit ?? failure.text)
  return { add, remove, error: wrong ?? refused, isSaving: save.isPending, pending: save.variables?.roots }
}
