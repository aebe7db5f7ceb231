import type { ReactNode } from 'react'
import { cn } from './cn'

type HeadProps = { title: ReactNode; children?: ReactNode; actions?: ReactNode; status?: ReactNode }

/** The head of a page: title, one sentence (children), actions on the right. */
export function PageHead({ title, children, actions, status }: HeadProps) {
  return (
    <header className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3 max-md:mb-4">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
          {status}
        </div>
        {children ? <p className="mt-0.5 text-ink-2">{children}</p> : null}
      </div>
      {actions ? <div className="ml-auto flex flex-wrap items-center gap-2 pt-0.5 max-md:ml-0">{actions}</div> : null}
    </header>
  )
}

const SIDES = {
  wide: 'xl:grid-cols-[minmax(0,1fr)_400px] min-[1400px]:grid-cols-[minmax(0,1fr)_448px]',
  narrow: 'xl:grid-cols-[minmax(0,1fr)_400px]',
  none: 'xl:grid-cols-[minmax(0,720px)]',
} as const

/** Main column and right column, or a main column no wider than lines are read; one below the other on narrow screens. */
export function Columns({ children, side = 'wide' }: { children: ReactNode; side?: keyof typeof SIDES }) {
  return <div className={cn('grid grid-cols-[minmax(0,1fr)] items-start gap-4', SIDES[side])}>{children}</div>
}

/** A column of panels. */
export function Stack({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cn('flex min-w-0 flex-col gap-4', className)}>{children}</div>
}
