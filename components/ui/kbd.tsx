import type { ReactNode } from 'react'

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-line-2 bg-surface px-1 font-mono text-micro leading-none text-ink-3">
      {children}
    </kbd>
  )
}
