'use client'
import dynamic from 'next/dynamic'
import { type RefObject, useState } from 'react'
import { isTyping } from '@/components/frame/use-hotkeys'
import type { WorkloadView } from '@/domain/views'
import { KeyBar } from './key-bar'
import { LinkDialog } from './link-dialog'
import type { PageKey } from './page-keys'
import { PasteDialog } from './paste-dialog'
import type { Paste } from './paste-filter'
import type { TerminalScreen } from './screen'
import { SessionBanners } from './session-banners'
import { StatusBar } from './status-bar'
import type { Session } from './use-session'

const TerminalView = dynamic(() => import('./terminal-view').then((m) => m.TerminalView), { ssr: false })

type Props = {
  workload: WorkloadView
  session: Session
  /** Filled while the terminal is drawn. */
  screen: RefObject<TerminalScreen | null>
  onPageKey: (key: PageKey) => void
}

/** The terminal with what stands above and below it, and the questions that it asks. */
export function TerminalColumn({ workload, session, screen, onPageKey }: Props) {
  const { connection, line, dismiss } = session
  const [asked, setAsked] = useState<{ paste: Paste; type: () => void } | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const [refusedAt, setRefusedAt] = useState(0)
  const mayType = workload.may.includes('workload.open')
  const isMine = line.status === 'open' && line.mode === 'control'
  const onReady = (ready: TerminalScreen) => {
    screen.current = ready
    connection?.connect()
    // It opens by itself: what is typed elsewhere meanwhile must not go on in a shell.
    if (!isTyping(document.activeElement)) ready.focus()
  }
  const onPasted = () => {
    asked?.type()
    setAsked(null)
    screen.current?.focus()
  }
  const onPaste = (paste: Paste, type: () => void) => setAsked({ paste, type })
  const onRefusedInput = () => setRefusedAt(Date.now())
  const events = { onLink: setLink, onPaste, onRefusedInput, onPageKey }
  return (
    <>
      <SessionBanners workload={workload} line={line} onDismiss={dismiss} onRetry={() => connection?.connect()} />
      <div className="min-h-0 flex-1 py-2 pl-5 max-md:pl-3">
        {connection ? <TerminalView connection={connection} onReady={onReady} events={events} /> : null}
      </div>
      <StatusBar workload={workload} line={line} mayType={mayType} refusedAt={refusedAt} />
      {line.exit || !mayType ? null : (
        <KeyBar
          whyNot={isMine ? null : line.status === 'open' ? 'Take control to type' : 'Not connected'}
          isApplicationCursor={() => screen.current?.isApplicationCursor ?? false}
          onType={(text) => screen.current?.type(text)}
        />
      )}
      <PasteDialog paste={asked?.paste ?? null} onClose={() => setAsked(null)} onType={onPasted} />
      <LinkDialog uri={link} onClose={() => setLink(null)} />
    </>
  )
}
