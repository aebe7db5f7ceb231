'use client'
import './globals.css'
import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import { PageError } from '@/components/frame/page-error'

/** The layout itself failed: this page brings its own. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body className="bg-canvas font-sans text-body text-ink">
        <main>
          <PageError digest={error.digest} onRetry={reset} />
        </main>
      </body>
    </html>
  )
}
