'use client'
import { EmailField, NewPasswordField } from '@/components/sign-in/credential-fields'
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
      <EmailField hint="To sign in. Nothing is ever sent to it." error={errors.email} />
      <NewPasswordField label="Password" name="password" error={errors.password} />
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
