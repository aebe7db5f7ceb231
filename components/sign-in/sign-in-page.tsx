'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Failure } from '@/components/api/failure'
import { signIn } from '@/components/api/sign-in'
import { Logo } from '@/components/frame/logo'
import { Button } from '@/components/ui/button'
import { CopyField } from '@/components/ui/copy-field'
import { Panel } from '@/components/ui/panel'
import { Refused } from '@/components/ui/refused'
import { EmailField, PasswordField } from './credential-fields'

const NEW_PASSWORD = 'npm run berth -- set-password EMAIL'

/** E-mail and password. `next`: the path of this very dashboard to go on to, already checked. */
export function SignInPage({ next, version }: { next: string; version: string }) {
  const { failure, isBusy, submit } = useSignIn(next)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-90">
        <p className="mb-5 flex items-center justify-center gap-2.5 text-lead font-semibold tracking-tight">
          <Logo />
          Berth
        </p>
        <Panel>
          <form
            // Of no dialog: the browser by itself, before the page listens, must not put a password into the address.
            method="dialog"
            noValidate
            className="flex flex-col gap-4 p-5"
            onSubmit={(event) => {
              event.preventDefault()
              void submit(new FormData(event.currentTarget))
            }}
          >
            <h1 className="text-lead font-semibold">Sign in</h1>
            {failure ? <NotSignedIn failure={failure} /> : null}
            <EmailField autoFocus />
            <PasswordField label="Password" name="password" />
            <Button type="submit" kind="primary" isBusy={isBusy} className="h-9">
              Sign in
            </Button>
          </form>
        </Panel>
        <p className="mt-3 text-center text-small text-ink-3">
          Berth <span className="num">{version}</span>
        </p>
      </div>
    </main>
  )
}

function useSignIn(next: string) {
  const router = useRouter()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    setFailure(null)
    const refused = await signIn(String(form.get('email')), String(form.get('password')))
    if (!refused) {
      router.replace(next)
      router.refresh()
      return
    }
    setFailure(refused)
    setBusy(false)
  }
  return { failure, isBusy, submit }
}

/** Why, and what helps who forgot the password: nothing is ever sent by mail. */
function NotSignedIn({ failure }: { failure: Failure }) {
  return (
    <Refused title="You are not signed in">
      <p>{failure.text}</p>
      {failure.code === 'bad_sign_in' ? (
        <>
          <p className="mt-2">Forgotten? On the computer of Berth, in its folder, this sets a new one:</p>
          <CopyField value={NEW_PASSWORD} label="the command for a new password" isMultiline className="mt-2" />
        </>
      ) : null}
    </Refused>
  )
}
