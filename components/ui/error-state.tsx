'use client'
import { CircleAlert, RotateCw } from 'lucide-react'
import { Button } from './button'
import { cn } from './cn'
import { CopyText } from './copy-field'

type Props = {
  /** What happened. */
  title: string
  /** What to try, or what goes on regardless. */
  detail?: string
  requestId?: string | null | undefined
  onRetry?: () => void
  isRetrying?: boolean
  className?: string
}

/** Something could not be shown: what happened, what to try, and the id by which the log knows it. */
export function ErrorState({ title, detail, requestId, onRetry, isRetrying, className }: Props) {
  return (
    <div role="alert" className={cn('flex gap-3 p-4', className)}>
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {detail ? <p className="text-small text-ink-2">{detail}</p> : null}
        {onRetry || requestId ? (
          <div className="mt-2.5 flex flex-wrap items-center gap-3">
            {onRetry ? (
              <Button size="sm" onClick={onRetry} isBusy={isRetrying ?? false}>
                {isRetrying ? null : <RotateCw className="size-3.5 shrink-0 text-ink-2" aria-hidden />}
                Try again
              </Button>
            ) : null}
            {requestId ? (
              <span className="flex items-center gap-1 text-small text-ink-3">
                Request <CopyText value={requestId} shown={requestId.slice(0, 8)} label="request id" />
              </span>
            ) : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}
