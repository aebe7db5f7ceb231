'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { toast } from '@/components/ui/toast'
import type { MachineView } from '@/domain/views'
import { givingUpPoints } from './silent-words'

type Props = { machine: Pick<MachineView, 'id' | 'name'>; here: number; onClose: () => void }

/** Asks before a machine is given up; says what is lost with it. */
export function GoneDialog({ machine, here, onClose }: Props) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const gone = useMutation(
    trpc.machines.gone.mutationOptions({
      onSuccess: ({ lost }) => {
        toast({ text: `${machine.name} is given up; ${lost === 1 ? '1 workload is' : `${lost} workloads are`} lost` })
        onClose()
      },
      onSettled: () => queryClient.invalidateQueries(trpc.machines.list.queryFilter()),
    }),
  )
  return (
    <ConfirmDialog
      title={`Is ${machine.name} gone for good?`}
      description="Only say so when it never comes back: stolen, broken, wiped. This cannot be undone."
      answers={[{ label: 'It is gone', kind: 'destroy', onAnswer: () => gone.mutate({ id: machine.id }) }]}
      isBusy={gone.isPending}
      refused={gone.error ? failureOf(gone.error).text : null}
      onClose={onClose}
    >
      <ul className="mt-2 list-disc pl-5 text-ink-2 marker:text-ink-3">
        {givingUpPoints(machine.name, here).map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
