import { cn } from './cn'

/** The place of one line of text that is on its way. It does not move. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-2 rounded-xs bg-line', className)} />
}

/** Rows of a list that is on its way; a screen reader hears one word. */
export function SkeletonRows({ rows = 3, className }: { rows?: number; className?: string }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity, never reordered
        <div key={i} className="flex h-12 items-center gap-6 border-b border-line px-4 last:border-b-0">
          <Skeleton className="w-24" />
          <Skeleton className="w-32" />
          <Skeleton className="w-full max-w-60" />
        </div>
      ))}
    </div>
  )
}
