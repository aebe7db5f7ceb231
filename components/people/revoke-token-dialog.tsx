'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeySquare } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
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
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Revoke ${token.name}?`}
      description="Whatever uses it is refused at once, and terminals that it opened close. It cannot be given back; a new token can be made."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="destroy" isBusy={revoke.isPending} onClick={() => revoke.mutate({ id: token.id })}>
            Revoke
          </Button>
        </>
      }
    >
      {revoke.error ? (
        <p role="alert" className="mt-2 text-small text-bad">
          {failureOf(revoke.error).text}
        </p>
      ) : null}
    </Dialog>
  )
}
