import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

type Props = { icon: LucideIcon; title: ReactNode; children?: ReactNode; action?: ReactNode; className?: string }

/** Nothing here yet: what it is (title), what to do next (children), and the button that does it. */
export function Empty({ icon: Icon, title, children, action, className }: Props) {
  return (
    <div className={cn('flex flex-col items-center justify-center px-6 py-8 text-center', className)}>
      <Icon className="size-5 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <p className="mt-2 font-medium">{title}</p>
      {children ? <p className="max-w-100 text-small text-ink-3">{children}</p> : null}
      {action ? <div className="mt-3 flex gap-2">{action}</div> : null}
    </div>
  )
}
