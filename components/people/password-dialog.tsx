'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useId, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf, fieldOf } from '@/components/api/failure'
import { NewPasswordField, PasswordField } from '@/components/sign-in/credential-fields'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Refused } from '@/components/ui/refused'
import { toast } from '@/components/ui/toast'
import { checkPassword, type PasswordErrors } from './check-password'

/** Another password for the own account. What was typed stays after an error. */
export function PasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const formId = useId()
  const { errors, refused, isSaving, save } = usePasswordChange(onClose)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Change password"
      description="Every other sign-in of yours ends with it. API tokens go on."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={isSaving}>
            Change password
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save(new FormData(event.currentTarget))
        }}
      >
        {/* Password managers take the account from here. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField label="Current password" name="current" error={errors.current} />
        <NewPasswordField label="New password" name="next" error={errors.next} />
        {refused ? <Refused title="The password was not changed">{refused}</Refused> : null}
      </form>
    </Dialog>
  )
}

function usePasswordChange(onDone: () => void) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [wrong, setWrong] = useState<PasswordErrors>({})
  const change = useMutation(
    trpc.me.changePassword.mutationOptions({
      onSuccess: ({ revoked }) => {
        const others = revoked === 0 ? '' : `; ${revoked} other ${revoked === 1 ? 'sign-in' : 'sign-ins'} ended`
        toast({ text: `Password changed${others}`, icon: KeyRound })
        void queryClient.invalidateQueries(trpc.signIns.list.queryFilter())
        onDone()
      },
    }),
  )
  const failure = change.error ? failureOf(change.error) : null
  const field = failure && fieldOf(failure)
  const named = field?.field === 'current' || field?.field === 'next' ? { [field.field]: field.limit } : {}
  const save = (form: FormData) => {
    const { change: asked, errors } = checkPassword({ current: form.get('current'), next: form.get('next') })
    change.reset()
    setWrong(errors)
    if (asked) change.mutate(asked)
  }
  const errors: PasswordErrors = { ...named, ...wrong }
  const isNamed = Object.keys(named).length > 0
  return { errors, refused: failure && !isNamed ? failure.text : null, isSaving: change.isPending, save }
}
