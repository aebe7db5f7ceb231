import './globals.css'
import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { ApiProvider } from '@/components/api/client'
import { Toasts } from '@/components/ui/toasts'
import { viewer } from './server-api'

export const metadata: Metadata = { title: { default: 'Berth', template: '%s · Berth' } }
export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' }

/**
 * Radix (scroll lock), sonner and xterm add style elements while they run: each gets the page's nonce. Without this the
 * policy refuses them.
 */
const NONCE_STYLES = `(()=>{const n=document.currentScript.nonce,c=Document.prototype.createElement;Document.prototype.createElement=function(t,o){const e=c.call(this,t,o);if(String(t).toLowerCase()==='style')e.nonce=n;return e}})()`

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const theme = (await viewer())?.theme ?? 'system'
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-theme={theme === 'system' ? undefined : theme}
      suppressHydrationWarning
    >
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, with the page's nonce */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: NONCE_STYLES }} />
      </head>
      <body className="bg-canvas font-sans text-body text-ink antialiased">
        <ApiProvider>
          {children}
          <Toasts />
        </ApiProvider>
      </body>
    </html>
  )
}
