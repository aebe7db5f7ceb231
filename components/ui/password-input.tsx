'use client'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from './input'

/** A password that can be looked at. */
export function PasswordInput(props: ComponentProps<typeof Input>) {
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
          className="-mr-1 inline-flex size-7 items-center justify-center rounded-sm text-ink-3 hover:text-ink max-md:-mr-2 max-md:size-10"
        >
          <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
        </button>
      }
    />
  )
}
