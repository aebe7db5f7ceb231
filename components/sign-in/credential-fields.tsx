'use client'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PasswordInput } from '@/components/ui/password-input'
import { LIMITS } from '@/domain/limits'

type FieldProps = { hint?: string; error?: string | undefined; autoFocus?: boolean }

/** The e-mail address by which somebody signs in. */
export function EmailField({ hint, error, autoFocus }: FieldProps) {
  return (
    <Field label="Email" {...(hint && { hint })} error={error}>
      {(control) => (
        <Input
          {...control}
          name="email"
          type="email"
          autoComplete="username"
          spellCheck={false}
          maxLength={LIMITS.emailChars}
          frameClassName="h-9"
          autoFocus={autoFocus ?? false}
          required
        />
      )}
    </Field>
  )
}

type OldProps = { label: string; name: string; error?: string | undefined }

/** A password that exists already. */
export function PasswordField({ label, name, error }: OldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <PasswordInput {...control} name={name} autoComplete="current-password" maxLength={LIMITS.passwordCharsMax} />
      )}
    </Field>
  )
}

/** A password to be; says as it is typed when it is long enough. */
export function NewPasswordField({ label, name, error }: OldProps) {
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
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <PasswordInput
          {...control}
          name={name}
          autoComplete="new-password"
          maxLength={LIMITS.passwordCharsMax}
          onChange={(e) => setLength(e.target.value.length)}
        />
      )}
    </Field>
  )
}
