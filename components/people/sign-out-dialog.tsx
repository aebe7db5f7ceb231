'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { signOut } from '@/components/api/sign-in'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
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
    <ConfirmDialog
      title="Sign out everywhere?"
      description={othersText(others)}
      answers={[
        { label: 'Here too', kind: 'danger', onAnswer: () => end(true) },
        { label: 'All others', kind: 'primary', onAnswer: () => end(false), isDisabled: others === 0 },
      ]}
      isBusy={revoke.isPending}
      refused={revoke.error ? failureOf(revoke.error).text : null}
      onClose={onClose}
    />
  )
}
