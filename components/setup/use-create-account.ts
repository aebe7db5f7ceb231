'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { z } from 'zod'
import { useTRPC } from '@/components/api/client'
import { type Failure, failureOf, fieldOf } from '@/components/api/failure'
import { signIn } from '@/components/api/sign-in'
import { email, password, personName, tenantName } from '@/domain/names'
import type { AccountErrors } from './account-fields'

const account = z.object({ name: personName, email, password, tenantName })
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
    const parsed = account.safeParse(Object.fromEntries(FIELDS.map((field) => [field, form.get(field)])))
    setErrors(parsed.success ? {} : errorsOf(parsed.error))
    setFailure(null)
    if (!parsed.success) return
    try {
      await mutation.mutateAsync({ ...parsed.data, secret })
    } catch (error) {
      const refused = failureOf(error)
      setFailure(refused)
      setErrors(serverErrors(refused))
      return
    }
    setSigningIn(true)
    // The account exists now. If signing in fails, the sign-in page says why.
    const refused = await signIn(parsed.data.email, parsed.data.password)
    router.replace(refused ? '/sign-in?next=/setup/machine' : '/setup/machine')
  }
  return { errors, failure, isBusy: mutation.isPending || isSigningIn, create }
}

function errorsOf(error: z.ZodError): AccountErrors {
  return Object.fromEntries(error.issues.map((issue) => [issue.path.join('.'), issue.message]).reverse())
}

function serverErrors(failure: Failure): AccountErrors {
  const wrong = fieldOf(failure)
  const field = FIELDS.find((f) => f === wrong?.field)
  return wrong && field ? { [field]: wrong.limit } : {}
}
