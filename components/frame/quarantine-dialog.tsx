'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { toast } from '@/components/ui/toast'

/** Asks before Berth acts on what the machines say again. */
export function QuarantineDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const leave = useMutation(
    trpc.system.leaveQuarantine.mutationOptions({
      onSuccess: () => {
        toast({ text: 'Quarantine has ended' })
        void queryClient.invalidateQueries()
        onClose()
      },
    }),
  )
  return (
    <ConfirmDialog
      title="Leave quarantine?"
      description="Berth acts on this database again. Look at the machines first: adopt or stop what they have and it does not."
      answers={[{ label: 'Leave quarantine', kind: 'primary', onAnswer: () => leave.mutate() }]}
      isBusy={leave.isPending}
      refused={leave.error ? failureOf(leave.error).text : null}
      onClose={onClose}
    >
      <ul className="mt-2 list-disc pl-5 text-ink-2 marker:text-ink-3">
        <li>What waits is started; what this database says should run, but does not, counts as lost.</li>
        <li>What runs and is not in the database goes on, and stays in the list of its machine.</li>
      </ul>
    </ConfirmDialog>
  )
}
