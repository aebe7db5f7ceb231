import { Check } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'
import { takeEarly } from './take-early'

type Props = Omit<ComponentProps<'input'>, 'type'>

/** A checkbox with the native behaviour and our look. Put it in a label, or give it an `aria-label`. */
export function Checkbox({ className, ...rest }: Props) {
  return (
    <span className={cn('relative inline-flex size-3.5 shrink-0', className)}>
      <input
        ref={takeEarly}
        type="checkbox"
        className="peer size-full appearance-none rounded-sm border border-mark bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50"
        {...rest}
      />
      <Check
        className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-checked:block"
        strokeWidth={3}
        aria-hidden
      />
      <span className="pointer-events-none absolute inset-0 m-auto hidden h-0.5 w-2 rounded-xs bg-on-accent peer-indeterminate:block" />
    </span>
  )
}

/** A radio button with the native behaviour and our look. Put it in a label, or give it an `aria-label`. */
export function Radio({ className, ...rest }: Props) {
  return (
    <span className={cn('relative inline-flex size-3.5 shrink-0', className)}>
      <input
        ref={takeEarly}
        type="radio"
        className="peer size-full appearance-none rounded-full border border-mark bg-surface checked:border-accent disabled:opacity-50"
        {...rest}
      />
      <span className="pointer-events-none absolute inset-0 m-auto hidden size-1.5 rounded-full bg-accent peer-checked:block" />
    </span>
  )
}
