import { X } from 'lucide-react'
import type { ReactNode } from 'react'

/** A token that a person set (a filter) and can take away. */
export function Chip({ children, onRemove, removeLabel }: { children: ReactNode; onRemove?: () => void; removeLabel?: string }) {
  return (
    <span className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line-2 bg-surface pl-2.5 text-small last:pr-2.5 max-md:h-10">
      {children}
      {onRemove ? (
        <button
          type="button"
          aria-label={removeLabel ?? 'Remove'}
          onClick={onRemove}
          className="mr-1 inline-flex size-5 items-center justify-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink max-md:mr-0 max-md:size-9.5"
        >
          <X className="size-3" aria-hidden />
        </button>
      ) : (
        <span className="w-2.5" />
      )}
    </span>
  )
}
