import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A table with fixed columns: give widths by a colgroup so that live updates never move a column. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cn('w-full table-fixed border-collapse', className)} {...rest} />
}

/** The head: one row of Th on a sunken ground. */
export function THead({ children, className }: ComponentProps<'thead'>) {
  return (
    <thead className={cn('bg-sunken', className)}>
      <tr className="h-7 border-b border-line text-left text-micro text-ink-3">{children}</tr>
    </thead>
  )
}

export function Th({ className, isNumber, ...rest }: ComponentProps<'th'> & { isNumber?: boolean }) {
  return <th scope="col" className={cn('font-medium first:pl-4 last:pr-4', isNumber && 'text-right', className)} {...rest} />
}

type TrProps = ComponentProps<'tr'> & { isSelected?: boolean; isDouble?: boolean }

/** A row: 36 px on one line, 48 with two (`isDouble`). */
export function Tr({ className, isSelected, isDouble, ...rest }: TrProps) {
  return (
    <tr
      className={cn(
        'border-b border-line last:border-b-0 focus-visible:outline-2 focus-visible:-outline-offset-2',
        isDouble ? 'h-12' : 'h-9',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
        className,
      )}
      aria-selected={isSelected}
      {...rest}
    />
  )
}

export function Td({ className, isNumber, ...rest }: ComponentProps<'td'> & { isNumber?: boolean }) {
  return <td className={cn('pr-3 first:pl-4 last:pr-4', isNumber && 'text-right tabular-nums', className)} {...rest} />
}
