'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { type Failure, failureOf, fieldOf } from '@/components/api/failure'
import { signIn } from '@/components/api/sign-in'
import type { AccountErrors } from './account-fields'

const FIELDS = ['name', 'email', 'password', 'tenantName'] as const

/** Creates the account, signs it in, and goes on to what this machine can run. */
export function useCreateAccount(secret: string) {
  const trpc = useTRPC()
  const router = useRouter()
  const [errors, setErrors] = useState<AccountErrors>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const mutation = useMutation(trpc.setup.create.mutationOptions())
  const [isSigningIn, setSigningIn] = useState(false)

  const create = async (form: FormData) => {
    // The schemas come with the first try, so that the first page of all is light.
    const { checkAccount } = await import('./check-account')
    const { account, errors: wrong } = checkAccount(Object.fromEntries(FIELDS.map((field) => [field, form.get(field)])))
    setErrors(wrong)
    setFailure(null)
    if (!account) return
    try {
      await mutation.mutateAsync({ ...account, secret })
    } catch (error) {
      const refused = failureOf(error)
      setFailure(refused)
      setErrors(serverErrors(refused))
      return
    }
    setSigningIn(true)
    // The account exists now. If signing in fails, the sign-in page says why.
    const refused = await signIn(account.email, account.password)
    router.replace(refused ? '/sign-in?next=/setup/machine' : '/setup/machine')
  }
  return { errors, failure, isBusy: mutation.isPending || isSigningIn, create }
}

function serverErrors(failure: Failure): AccountErrors {
  const wrong = fieldOf(failure)
  const field = FIELDS.find((f) => f === wrong?.field)
  return wrong && field ? { [field]: wrong.limit } : {}
}
