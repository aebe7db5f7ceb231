'use client'
import { PageError } from '@/components/frame/page-error'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main>
      <PageError digest={error.digest} onRetry={reset} />
    </main>
  )
}
