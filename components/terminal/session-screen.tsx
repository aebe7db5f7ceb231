'use client'
import { Copy } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import type { PanelTab } from '@/components/session/panel-tabs'
import { SessionNotices } from '@/components/session/session-notices'
import { toast } from '@/components/ui/toast'
import { DeleteDialog, RenameDialog } from '@/components/workloads/dialogs'
import type { WorkloadView } from '@/domain/views'
import { NotRunning } from './not-running'
import type { PageKey } from './page-keys'
import type { TerminalScreen } from './screen'
import { SessionHeader } from './session-header'
import { TerminalColumn } from './terminal-column'
import { useSession } from './use-session'

const SessionPanel = dynamic(() => import('@/components/session/session-panel').then((m) => m.SessionPanel), { ssr: false })

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
  const session = useSession(workload, url)
  const { connection, line } = session
  const screen = useRef<TerminalScreen | null>(null)
  const header = useRef<HTMLDivElement>(null)
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const [tab, setTab] = useState<PanelTab>('info')
  const isAttachable = ATTACHABLE.includes(workload.state)
  // Nothing to connect to any more: it is not asked for again and again.
  useEffect(() => {
    if (!isAttachable) connection?.close()
  }, [connection, isAttachable])

  const onClaim = () => {
    connection?.claim()
    screen.current?.focus()
  }
  const onPageKey = (key: PageKey) => {
    if (key === 'leave') firstControl(header.current)?.focus()
    else if (workload.may.includes('workload.open')) onClaim()
  }
  const showNetwork = () => {
    setTab('network')
    onPanel(true)
  }
  const onCopy = () =>
    navigator.clipboard.writeText(screen.current?.shown ?? '').then(
      () => toast({ text: 'Copied what is on the screen', icon: Copy }),
      () => toast({ text: 'This browser did not let it be copied', tone: 'bad' }),
    )
  const onRelease = () => connection?.release()
  const aside = { isPanelOpen, onPanel: () => onPanel(!isPanelOpen) }
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-term">
      <div ref={header}>
        <SessionHeader
          workload={workload}
          line={line}
          me={me}
          {...aside}
          onClaim={onClaim}
          onRelease={onRelease}
          onDialog={setDialog}
          onCopy={isAttachable ? onCopy : null}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <SessionNotices workload={workload} onNetwork={showNetwork} />
          {isAttachable ? (
            <TerminalColumn workload={workload} session={session} screen={screen} onPageKey={onPageKey} />
          ) : (
            <NotRunning workload={workload} onDelete={() => setDialog('delete')} />
          )}
        </div>
        {isPanelOpen ? (
          <SessionPanel workload={workload} line={line} me={me} tab={tab} onTab={setTab} onClose={() => onPanel(false)} />
        ) : null}
      </div>
      <RenameDialog workload={dialog === 'rename' ? workload : null} onClose={() => setDialog(null)} />
      <DeleteDialog targets={dialog === 'delete' ? [workload] : []} onClose={() => setDialog(null)} />
    </div>
  )
}

/** The first control of the header that is shown on this screen. */
function firstControl(header: HTMLElement | null): HTMLElement | undefined {
  return [...(header?.querySelectorAll<HTMLElement>('a, button') ?? [])].find((element) => element.offsetParent !== null)
}
