import { ErrorState } from '@/components/ui/error-state'
import { Panel } from '@/components/ui/panel'

/** A page that broke: what happened, a way to try again, and the id under which the log has it. */
export function PageError({ digest, onRetry }: { digest?: string | undefined; onRetry: () => void }) {
  return (
    <div className="mx-auto flex min-h-[60dvh] w-full max-w-130 items-center px-4">
      <h1 className="sr-only">This page could not be shown</h1>
      <Panel className="w-full">
        <ErrorState
          title="This page could not be shown"
          detail="Berth's log has the cause. What runs on your machines goes on."
          requestId={digest}
          onRetry={onRetry}
        />
      </Panel>
    </div>
  )
}
