import { type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { IconButton } from './icon-button'
import { TONE_SOFT, TONE_TEXT, type Tone } from './tone'

type Props = {
  icon: LucideIcon
  tone?: Tone
  title: ReactNode
  children?: ReactNode
  /** Buttons, at the right end. */
  actions?: ReactNode
  onDismiss?: () => void
  /** Makes it a region of the page with that name; without one it is read out when it comes. */
  label?: string
  className?: string
}

/** One line above what it is about: what a person should know, and what can be done. */
export function NoticeBar({ icon: Icon, tone = 'warn', title, children, actions, onDismiss, label, className }: Props) {
  const Frame = label === undefined ? 'div' : 'section'
  const role = label === undefined ? (tone === 'bad' ? 'alert' : 'status') : undefined
  return (
    <Frame
      role={role}
      aria-label={label}
      className={cn(
        'flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1 pr-2 pl-4',
        TONE_SOFT[tone],
        className,
      )}
    >
      <Icon className={cn('size-4 shrink-0', TONE_TEXT[tone])} strokeWidth={1.75} aria-hidden />
      {/* Words that would be squeezed beside the buttons stand above them. */}
      <p className="min-w-0 flex-1 basis-40">
        <span className={cn('font-medium', TONE_TEXT[tone])}>{title}</span>
        {children ? <span className="text-ink-2 max-md:block max-md:text-small"> {children}</span> : null}
      </p>
      {actions || onDismiss ? (
        <div className="ml-auto flex items-center gap-x-3 max-md:gap-x-1">
          {actions}
          {onDismiss ? <IconButton icon={X} label="Dismiss" size="xs" onClick={onDismiss} /> : null}
        </div>
      ) : null}
    </Frame>
  )
}
