import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { TONE_SOFT, TONE_TEXT, type Tone } from './tone'

type Props = {
  icon: LucideIcon
  tone: Tone
  title: ReactNode
  children?: ReactNode
  isMoving?: boolean | undefined
  className?: string
}

/** A fact that explains the page or panel below it, on its soft ground. */
export function Banner({ icon: Icon, tone, title, children, isMoving, className }: Props) {
  return (
    <div className={cn('px-4 py-3', TONE_SOFT[tone], className)}>
      <p className={cn('flex items-start gap-2 font-semibold', TONE_TEXT[tone])}>
        <Icon className={cn('mt-0.5 size-4 shrink-0', isMoving && 'animate-spin')} aria-hidden />
        <span className="min-w-0 [overflow-wrap:anywhere]">{title}</span>
      </p>
      {children ? <div className="mt-1 pl-6 text-ink-2">{children}</div> : null}
    </div>
  )
}
