import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { TONE_SOFT, TONE_TEXT, type Tone } from './tone'

type Props = { icon: LucideIcon; tone: Tone; isMoving?: boolean | undefined; children: ReactNode; className?: string }

/** A status in a row: colour, icon and word. */
export function Status({ icon: Icon, tone, isMoving, children, className }: Props) {
  return (
    <span className={cn('flex w-fit items-center gap-1.5 font-medium whitespace-nowrap', TONE_TEXT[tone], className)}>
      <Icon className={cn('size-3.5 shrink-0', isMoving && 'animate-spin')} aria-hidden />
      {children}
    </span>
  )
}

/** A status in a page header: the same on its soft ground. */
export function StatusPill({ icon: Icon, tone, isMoving, children, className }: Props) {
  return (
    <span
      className={cn(
        'inline-flex h-6 w-fit items-center gap-1.5 rounded-sm px-2 text-small font-medium whitespace-nowrap',
        TONE_TEXT[tone],
        TONE_SOFT[tone],
        className,
      )}
    >
      <Icon className={cn('size-3.5 shrink-0', isMoving && 'animate-spin')} aria-hidden />
      {children}
    </span>
  )
}
