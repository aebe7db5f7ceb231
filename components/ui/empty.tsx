import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

type Props = {
  icon: LucideIcon
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** It is all that the page has: its title is the page's heading. */
  isPage?: boolean
  className?: string
}

/** Nothing here yet: what it is (title), what to do next (children), and the button that does it. */
export function Empty({ icon: Icon, title, children, action, isPage = false, className }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={cn('flex flex-col items-center justify-center px-6 py-8 text-center', className)}>
      <Icon className="size-5 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <Title className="mt-2 font-medium">{title}</Title>
      {children ? <p className="max-w-100 text-small text-ink-3">{children}</p> : null}
      {action ? <div className="mt-3 flex gap-2">{action}</div> : null}
    </div>
  )
}
