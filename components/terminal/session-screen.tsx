'use client'
import { Copy } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { SessionNotices } from '@/components/session/session-notices'
import type { PanelState } from '@/components/session/use-panel'
import { toast } from '@/components/ui/toast'
import { DeleteDialog, RenameDialog } from '@/components/workloads/dialogs'
import type { WorkloadView } from '@/domain/views'
import type { PageKey } from './page-keys'
import type { TerminalScreen } from './screen'
import { SessionHeader } from './session-header'
import { isLost } from './session-line'
import { TerminalColumn } from './terminal-column'
import { useSession } from './use-session'

const NotRunning = dynamic(() => import('./not-running').then((m) => m.NotRunning), { loading: () => null })
const SessionPanel = dynamic(() => import('@/components/session/session-panel').then((m) => m.SessionPanel), { ssr: false })

type Props = { workload: WorkloadView; me: string; url: string; panel: PanelState }

const ATTACHABLE: readonly WorkloadView['state'][] = ['running', 'paused']

/** One run of a session on the screen. The terminal stays mounted while its workload runs; nothing typed here is kept by the page. */
export function SessionScreen({ workload, me, url, panel }: Props) {
  const session = useSession(workload, url)
  const { connection, line } = session
  const screen = useRef<TerminalScreen | null>(null)
  const header = useRef<HTMLDivElement>(null)
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
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
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-term">
      <div ref={header}>
        <SessionHeader
          {...{ workload, line, me, onClaim }}
          isPanelOpen={panel.isOpen}
          onPanel={panel.toggle}
          onRelease={() => connection?.release()}
          onDialog={setDialog}
          onCopy={isAttachable ? () => copyShown(screen.current) : null}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          {isLost(line) ? null : <SessionNotices workload={workload} onNetwork={() => panel.show('network')} />}
          {isAttachable ? (
            <TerminalColumn workload={workload} session={session} screen={screen} onPageKey={onPageKey} />
          ) : (
            <NotRunning workload={workload} onRecord={() => panel.show('record')} onDelete={() => setDialog('delete')} />
          )}
        </div>
        {panel.isOpen ? <SessionPanel {...{ workload, line, me, panel }} /> : null}
      </div>
      <RenameDialog workload={dialog === 'rename' ? workload : null} onClose={() => setDialog(null)} />
      <DeleteDialog targets={dialog === 'delete' ? [workload] : []} onClose={() => setDialog(null)} />
    </div>
  )
}

function copyShown(screen: TerminalScreen | null): Promise<void> {
  return navigator.clipboard.writeText(screen?.shown ?? '').then(
    () => toast({ text: 'Copied what is on the screen', icon: Copy }),
    () => toast({ text: 'This browser did not let it be copied', tone: 'bad' }),
  )
}

/** The first control of the header that is shown on this screen. */
function firstControl(header: HTMLElement | null): HTMLElement | undefined {
  return [...(header?.querySelectorAll<HTMLElement>('a, button') ?? [])].find((element) => element.offsetParent !== null)
}
