import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { takeEarly } from './take-early'

/** The frame of every text control: the focus ring is on the frame, whatever is inside. */
export const CONTROL =
  'flex h-8 items-center gap-2 rounded-md border border-line-2 bg-surface px-2.5 max-md:h-10 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent has-aria-invalid:border-bad has-disabled:opacity-50'

type Props = ComponentProps<'input'> & { icon?: LucideIcon; isMono?: boolean; trailing?: ReactNode; frameClassName?: string }

/** One line of text. `icon` leads, `trailing` (a button, a unit, a key) follows. On phones 16 px, so that no browser zooms. */
export function Input({ icon: Icon, isMono, trailing, className, frameClassName, ...rest }: Props) {
  return (
    <span className={cn(CONTROL, frameClassName)}>
      {Icon ? <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden /> : null}
      <input
        ref={takeEarly}
        className={cn(
          'h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3 max-md:text-[16px]',
          isMono && 'font-mono text-small',
          className,
        )}
        {...rest}
      />
      {trailing}
    </span>
  )
}

/** Several lines of text. */
export function TextArea({ className, isMono, ...rest }: ComponentProps<'textarea'> & { isMono?: boolean }) {
  return (
    <textarea
      ref={takeEarly}
      className={cn(
        'block w-full rounded-md border border-line-2 bg-surface px-2.5 py-1.25 max-md:py-2 placeholder:text-ink-3 focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-bad disabled:opacity-50 max-md:text-[16px]',
        isMono && 'font-mono text-small',
        className,
      )}
      {...rest}
    />
  )
}
