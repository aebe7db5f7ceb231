'use client'
import { Lock } from 'lucide-react'
import { Empty } from '@/components/ui/empty'
import { ErrorState } from '@/components/ui/error-state'
import { failureOf } from './failure'

type Props = { error: unknown; what: string; onRetry: () => void; isRetrying: boolean; className?: string }

/** What a panel shows instead of data: no permission, or what happened with a way to try again. */
export function QueryFailed({ error, what, onRetry, isRetrying, className }: Props) {
  const failure = failureOf(error)
  if (failure.code === 'forbidden') {
    return (
      <Empty icon={Lock} title={failure.text} {...(className && { className })}>
        An owner or admin of this place can give you a role that may.
      </Empty>
    )
  }
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      detail={failure.text}
      requestId={failure.requestId}
      onRetry={onRetry}
      isRetrying={isRetrying}
      {...(className && { className })}
    />
  )
}
