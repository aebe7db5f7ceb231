import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const SIZE = { md: 'size-8', sm: 'size-7', xs: 'size-6' } as const

type Props = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  icon: LucideIcon
  label: string
  size?: keyof typeof SIZE
  isFramed?: boolean
}

/** A button that is only an icon; its label is read aloud and shown on hover. */
export function IconButton({ icon: Icon, label, size = 'sm', isFramed, className, type, ...rest }: Props) {
  return (
    <button
      type={type ?? 'button'}
      aria-label={label}
      title={label}
      className={cn(
        'inline-flex shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-50 max-md:size-10',
        SIZE[size],
        isFramed && 'border border-line-2 bg-surface',
        className,
      )}
      {...rest}
    >
      <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
    </button>
  )
}
