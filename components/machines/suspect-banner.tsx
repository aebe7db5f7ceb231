'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { Banner } from '@/components/ui/banner'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { LIMITS } from '@/domain/limits'
import type { MachineView } from '@/domain/views'

type Props = { machine: Pick<MachineView, 'id' | 'name' | 'state'>; canClear: boolean; className?: string }

/** The machine takes no new work because starts failed there; who may change it can say that it is fine again. */
export function SuspectBanner({ machine, canClear, className }: Props) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const clear = useMutation(
    trpc.machines.clearSuspect.mutationOptions({
      onSuccess: () => toast({ text: `${machine.name} takes work again` }),
      onSettled: () => {
        void queryClient.invalidateQueries(trpc.workloads.fit.queryFilter())
        return queryClient.invalidateQueries(trpc.machines.list.queryFilter())
      },
    }),
  )
  if (machine.state !== 'suspect') return null
  return (
    <Banner icon={CircleAlert} tone="warn" title={`${machine.name} takes no new work`} {...(className && { className })}>
      <p>{LIMITS.startFailuresToSuspect} starts in a row failed on it. What runs there goes on.</p>
      {canClear ? (
        <Button size="sm" className="mt-2" isBusy={clear.isPending} onClick={() => clear.mutate({ id: machine.id })}>
          Let it take work again
        </Button>
      ) : null}
      {clear.error ? (
        <p role="alert" className="mt-2 text-small text-bad">
          {failureOf(clear.error).text}
        </p>
      ) : null}
    </Banner>
  )
}
