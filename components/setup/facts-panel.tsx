import { CircleCheck, KeyRound, Laptop, LockKeyhole, type LucideIcon, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Status } from '@/components/ui/status'
import { LIMITS } from '@/domain/limits'

/** What is true about this control plane, before anybody trusts it with a password. */
export function FactsPanel({ port, isOpen }: { port: number; isOpen: boolean }) {
  return (
    <Panel aria-label="This control plane">
      <PanelHead title="This control plane" className="px-5">
        <Status icon={CircleCheck} tone="good" className="text-small">
          Running
        </Status>
      </PanelHead>
      <ul>
        <FactRow icon={Laptop} title="Listens on this machine only">
          <span className="num">127.0.0.1:{port}</span>; nobody else can reach it
        </FactRow>
        <FactRow icon={LockKeyhole} title="Passwords are never stored">
          Of passwords, tokens and links it keeps hashes only
        </FactRow>
        <FactRow icon={Shield} title="Nothing leaves this machine">
          No telemetry, no update check, no account elsewhere
        </FactRow>
        {isOpen ? (
          <FactRow icon={KeyRound} title="The link works once">
            It comes from your terminal and ends {LIMITS.setupMinutes} minutes after it was printed
          </FactRow>
        ) : null}
      </ul>
    </Panel>
  )
}

function FactRow({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 border-b border-line px-5 py-3 last:border-b-0">
      <Icon className="mt-0.5 size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <div>
        <p className="font-medium">{title}</p>
        <p className="text-small text-ink-3">{children}</p>
      </div>
    </li>
  )
}
