'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { signOut } from '@/components/api/sign-in'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { othersText } from './words'

/** Ends all other sign-ins, or all of them with this one. */
export function SignOutDialog({ others, onClose }: { others: number; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const revoke = useMutation(trpc.signIns.revokeOthers.mutationOptions())
  const end = (isHereToo: boolean) =>
    revoke.mutate(undefined, {
      onSuccess: ({ revoked }) => {
        if (isHereToo) return void signOut()
        toast({ text: `Signed out ${revoked} other ${revoked === 1 ? 'device' : 'devices'}`, icon: LogOut })
        void queryClient.invalidateQueries(trpc.signIns.list.queryFilter())
        onClose()
      },
    })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Sign out everywhere?"
      description={othersText(others)}
      footer={
        <>
          <Button kind="ghost" className="mr-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="danger" isBusy={revoke.isPending} onClick={() => end(true)}>
            Here too
          </Button>
          <Button kind="primary" isBusy={revoke.isPending} disabled={others === 0} onClick={() => end(false)}>
            All others
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
