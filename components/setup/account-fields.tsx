'use client'
import { CircleCheck, CircleDashed, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LIMITS } from '@/domain/limits'

export type AccountErrors = Partial<Record<'name' | 'email' | 'password' | 'tenantName', string>>

/** The four fields. What was typed stays in them, whatever the answer is. */
export function AccountFields({ errors }: { errors: AccountErrors }) {
  return (
    <>
      <Field label="Your name" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            maxLength={LIMITS.personNameChars}
            frameClassName="h-9"
            autoFocus
            required
          />
        )}
      </Field>
      <Field label="Email" hint="To sign in. Nothing is ever sent to it." error={errors.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            spellCheck={false}
            maxLength={LIMITS.emailChars}
            frameClassName="h-9"
            required
          />
        )}
      </Field>
      <PasswordField error={errors.password} />
      <Field label="Name of this place" hint="What you and others see at the top left." error={errors.tenantName}>
        {(control) => (
          <Input
            {...control}
            name="tenantName"
            autoComplete="organization"
            maxLength={LIMITS.tenantNameChars}
            frameClassName="h-9"
            required
          />
        )}
      </Field>
    </>
  )
}

function PasswordField({ error }: { error: string | undefined }) {
  const [length, setLength] = useState(0)
  const isLong = length >= LIMITS.passwordCharsMin
  const Icon = isLong ? CircleCheck : CircleDashed
  const hint = (
    <span className={`flex items-center gap-1.5 ${isLong ? 'text-good' : ''}`}>
      <Icon className="size-3.5 shrink-0" aria-hidden />
      {LIMITS.passwordCharsMin} characters or more; a sentence is easy to keep in mind
    </span>
  )
  return (
    <Field label="Password" hint={hint} error={error}>
      {(control) => (
        <PasswordInput
          {...control}
          name="password"
          autoComplete="new-password"
          maxLength={LIMITS.passwordCharsMax}
          onChange={(e) => setLength(e.target.value.length)}
        />
      )}
    </Field>
  )
}

/** A password that can be looked at. */
export function PasswordInput(props: React.ComponentProps<typeof Input>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Input
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      frameClassName="h-9"
      required
      trailing={
        <button
          type="button"
          aria-label={isShown ? 'Hide the password' : 'Show the password'}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="-mr-1 inline-flex size-7 items-center justify-center rounded-sm text-ink-3 hover:text-ink max-md:size-9"
        >
          <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
        </button>
      }
    />
  )
}
