import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

/** A panel of a page. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={cn('flex min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface', className)}
      {...rest}
    />
  )
}

type HeadProps = { title: ReactNode; meta?: ReactNode; id?: string; children?: ReactNode; className?: string }

/** The head of a panel: title, a quiet fact beside it, actions on the right (children). */
export function PanelHead({ title, meta, id, children, className }: HeadProps) {
  return (
    <header
      className={cn(
        'flex h-10 shrink-0 items-center gap-2 border-b border-line px-4 max-md:h-auto max-md:min-h-10 max-md:flex-wrap max-md:py-1',
        className,
      )}
    >
      <h2 id={id} className="min-w-0 truncate font-semibold">
        {title}
      </h2>
      {meta === undefined || meta === null ? null : <span className="text-small whitespace-nowrap text-ink-3">{meta}</span>}
      {children ? <div className="ml-auto flex items-center gap-2">{children}</div> : null}
    </header>
  )
}

/** Label and value lines of a panel. */
export function FactList({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cn('flex flex-col', className)}>{children}</dl>
}

/** One line of a FactList: label, value, and a meta at the right edge. */
export function Fact({ label, meta, children }: { label: ReactNode; meta?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center gap-3 border-b border-line px-4 py-1 last:border-b-0">
      <dt className="w-24 shrink-0 text-ink-3">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2.5 [overflow-wrap:anywhere]">
        {children}
        {meta ? <span className="ml-auto shrink-0 text-right text-small whitespace-nowrap text-ink-3">{meta}</span> : null}
      </dd>
    </div>
  )
}
