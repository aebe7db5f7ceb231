'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeySquare } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { toast } from '@/components/ui/toast'

/** Asks before a token ends: whatever uses it is refused from then on. */
export function RevokeTokenDialog({ token, onClose }: { token: { id: string; name: string }; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      onSuccess: () => {
        toast({ text: `Revoked ${token.name}`, icon: KeySquare })
        onClose()
      },
      onSettled: () => queryClient.invalidateQueries(trpc.tokens.list.queryFilter()),
    }),
  )
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}?`}
      description="Whatever uses it is refused at once, and terminals that it opened close. It cannot be given back; a new token can be made."
      answers={[{ label: 'Revoke', kind: 'destroy', onAnswer: () => revoke.mutate({ id: token.id }) }]}
      isBusy={revoke.isPending}
      refused={revoke.error ? failureOf(revoke.error).text : null}
      onClose={onClose}
    />
  )
}
