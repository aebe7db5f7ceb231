'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { toast } from '@/components/ui/toast'
import type { MachineView, OrphanView } from '@/domain/views'
import { type OrphanDecision, orphanDialogWords, orphanName } from './orphan-words'

type Props = {
  machine: MachineView
  orphan: OrphanView
  decision: OrphanDecision
  isQuarantined: boolean
  onClose: () => void
}

/** Asks before an orphan is adopted or stopped; says what happens to it. */
export function OrphanDialog({ machine, orphan, decision, isQuarantined, onClose }: Props) {
  const words = orphanDialogWords(decision, orphan, { machine: machine.name, isQuarantined })
  const { decide, isBusy, refused } = useDecision(orphanName(orphan), onClose)
  return (
    <ConfirmDialog
      title={words.title}
      description={words.description}
      answers={[
        {
          label: words.confirm,
          kind: decision === 'stop' ? 'destroy' : 'primary',
          onAnswer: () => decide(decision, { machineId: machine.id, placementId: orphan.placementId }),
        },
      ]}
      isBusy={isBusy}
      refused={refused}
      onClose={onClose}
    >
      <ul className="mt-2 list-disc pl-5 text-ink-2 marker:text-ink-3">
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

function useDecision(name: string, onClose: () => void) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const done = (text: string) => ({
    onSuccess: () => {
      toast({ text })
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries(trpc.machines.list.queryFilter()),
  })
  const adopt = useMutation(trpc.machines.adopt.mutationOptions(done(`Adopted ${name}`)))
  const stop = useMutation(trpc.machines.stopOrphan.mutationOptions(done(`Stopping ${name}`)))
  const error = adopt.error ?? stop.error
  return {
    decide: (decision: OrphanDecision, ask: { machineId: string; placementId: string }) =>
      (decision === 'adopt' ? adopt : stop).mutate(ask),
    isBusy: adopt.isPending || stop.isPending,
    refused: error ? failureOf(error).text : null,
  }
}
