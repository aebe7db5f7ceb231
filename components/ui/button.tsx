import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const SIZE = {
  md: 'h-8 gap-1.5 px-3 text-body max-md:h-10 max-md:px-4',
  sm: 'h-7 gap-1.5 px-2.5 text-small max-md:h-10 max-md:px-4 max-md:text-body',
  xs: 'h-6 gap-1 px-2 text-small max-md:h-10 max-md:px-4 max-md:text-body',
} as const

const KIND = {
  primary: 'bg-accent text-on-accent hover:opacity-92',
  secondary: 'border border-line-2 bg-surface text-ink hover:bg-hover',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border border-line-2 bg-surface text-bad hover:bg-bad-soft',
  destroy: 'bg-bad text-on-accent hover:opacity-92',
} as const

export type ButtonLook = { kind?: keyof typeof KIND; size?: keyof typeof SIZE }

/** The classes of a button, for links that look like one. */
export function buttonClass({ kind = 'secondary', size = 'md' }: ButtonLook = {}, className?: string): string {
  return cn(
    'inline-flex items-center justify-center rounded-md font-medium whitespace-nowrap select-none disabled:pointer-events-none disabled:opacity-50',
    SIZE[size],
    KIND[kind],
    className,
  )
}

type Props = ComponentProps<'button'> & ButtonLook & { isBusy?: boolean }

/** A button. `isBusy` shows a turning mark, keeps the width of the words and takes no second click. */
export function Button({ kind, size, isBusy, className, children, disabled, type, ...rest }: Props) {
  const look = buttonClass({ ...(kind && { kind }), ...(size && { size }) }, className)
  return (
    <button type={type ?? 'button'} className={look} disabled={disabled || isBusy} aria-busy={isBusy || undefined} {...rest}>
      {isBusy ? <LoaderCircle className="size-3.5 shrink-0 animate-spin" aria-hidden /> : null}
      {children}
    </button>
  )
}
