'use client'
import dynamic from 'next/dynamic'
import { useCallback, useEffect, useRef, useState } from 'react'
import { DeleteDialog } from '@/components/workloads/delete-dialog'
import { RenameDialog } from '@/components/workloads/rename-dialog'
import type { WorkloadView } from '@/domain/views'
import { KeyBar } from './key-bar'
import { LinkDialog } from './link-dialog'
import { NotRunning } from './not-running'
import { PasteDialog } from './paste-dialog'
import type { Paste } from './paste-filter'
import type { PageKey, TerminalScreen } from './screen'
import { SessionBanners } from './session-banners'
import { SessionHeader } from './session-header'
import { SidePanel } from './side-panel'
import { StatusBar } from './status-bar'
import { useSession } from './use-session'

const TerminalView = dynamic(() => import('./terminal-view').then((m) => m.TerminalView), { ssr: false })

type Props = {
  workload: WorkloadView
  me: string
  url: string
  isPanelOpen: boolean
  onPanel: (isOpen: boolean) => void
}

const ATTACHABLE: readonly WorkloadView['state'][] = ['running', 'paused']

/** One run of a session on the screen. The terminal stays mounted while its workload runs; nothing typed here is kept by the page. */
export function SessionScreen({ workload, me, url, isPanelOpen, onPanel }: Props) {
  const { connection, line, dismiss } = useSession(workload, url)
  const screen = useRef<TerminalScreen | null>(null)
  const header = useRef<HTMLDivElement>(null)
  const [paste, setPaste] = useState<{ paste: Paste; type: () => void } | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const [refusedAt, setRefusedAt] = useState(0)
  const isAttachable = ATTACHABLE.includes(workload.state)
  const mayType = workload.may.includes('workload.open')
  const isMine = line.status === 'open' && line.mode === 'control'

  const onReady = useCallback(
    (ready: TerminalScreen) => {
      screen.current = ready
      connection.connect()
      ready.focus()
    },
    [connection],
  )
  // Nothing to connect to any more: it is not asked for again and again.
  useEffect(() => {
    if (!isAttachable) connection.close()
  }, [connection, isAttachable])

  const claim = () => {
    connection.claim()
    screen.current?.focus()
  }
  const onPageKey = (key: PageKey) => {
    if (key === 'take-control' && mayType) claim()
    if (key === 'leave') firstControl(header.current)?.focus()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-term">
      <div ref={header}>
        <SessionHeader
          workload={workload}
          line={line}
          me={me}
          isPanelOpen={isPanelOpen}
          onPanel={() => onPanel(!isPanelOpen)}
          onClaim={claim}
          onRelease={() => connection.release()}
          onDialog={setDialog}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          {isAttachable ? (
            <>
              <SessionBanners workload={workload} line={line} onDismiss={dismiss} onRetry={() => connection.connect()} />
              <div className="min-h-0 flex-1 py-2 pl-5 max-md:pl-3">
                <TerminalView
                  connection={connection}
                  onReady={onReady}
                  events={{
                    onLink: setLink,
                    onPaste: (text, type) => setPaste({ paste: text, type }),
                    onRefusedInput: () => setRefusedAt(Date.now()),
                    onPageKey,
                  }}
                />
              </div>
              <StatusBar workload={workload} line={line} mayType={mayType} refusedAt={refusedAt} />
              <KeyBar
                isDisabled={!isMine}
                isApplicationCursor={() => screen.current?.isApplicationCursor ?? false}
                onType={(text) => screen.current?.type(text)}
              />
            </>
          ) : (
            <NotRunning workload={workload} onDelete={() => setDialog('delete')} />
          )}
        </div>
        <SidePanel workload={workload} line={line} me={me} isOpen={isPanelOpen} onClose={() => onPanel(false)} />
      </div>
      <PasteDialog
        paste={paste?.paste ?? null}
        onClose={() => setPaste(null)}
        onType={() => {
          paste?.type()
          setPaste(null)
          screen.current?.focus()
        }}
      />
      <LinkDialog uri={link} onClose={() => setLink(null)} />
      <RenameDialog workload={dialog === 'rename' ? workload : null} onClose={() => setDialog(null)} />
      <DeleteDialog targets={dialog === 'delete' ? [workload] : []} onClose={() => setDialog(null)} />
    </div>
  )
}

/** The first control of the header that is shown on this screen. */
function firstControl(header: HTMLElement | null): HTMLElement | undefined {
  return [...(header?.querySelectorAll<HTMLElement>('a, button') ?? [])].find((element) => element.offsetParent !== null)
}
