'use client'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp, LoaderCircle } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { KIND_ICON } from '@/components/frame/state-look'
import { Button } from '@/components/ui/button'
import { Panel, PanelHead } from '@/components/ui/panel'
import { Status } from '@/components/ui/status'
import { Age } from '@/components/ui/time'
import type { MachineView, OrphanView } from '@/domain/views'
import { cannotAdopt, type OrphanDecision, orphanName } from './orphan-words'

const Decide = dynamic(() => import('./orphan-dialog').then((m) => m.OrphanDialog), { ssr: false })

/** What runs on a machine and the database does not know. Nothing is ended before somebody decides. */
export function OrphansPanel({ machine, className }: { machine: MachineView; className?: string }) {
  const info = useQuery(useTRPC().system.info.queryOptions())
  const isQuarantined = info.data?.isQuarantined ?? false
  const [asked, setAsked] = useState<{ orphan: OrphanView; decision: OrphanDecision } | null>(null)
  if (machine.orphans.length === 0) return null
  return (
    <Panel aria-label="Not in the database" className={className}>
      <PanelHead title="Not in the database" meta={machine.orphans.length} />
      <p className="border-b border-line px-4 py-2 text-small text-ink-2">
        These run on {machine.name}, and Berth does not know them: its database may be an older copy. They go on until you decide.
      </p>
      <ul>
        {machine.orphans.map((orphan) => (
          <OrphanRow
            key={orphan.placementId}
            orphan={orphan}
            isQuarantined={isQuarantined}
            onAsk={(decision) => setAsked({ orphan, decision })}
          />
        ))}
      </ul>
      {asked ? <Decide machine={machine} {...asked} isQuarantined={isQuarantined} onClose={() => setAsked(null)} /> : null}
    </Panel>
  )
}

type RowProps = { orphan: OrphanView; isQuarantined: boolean; onAsk: (decision: OrphanDecision) => void }

function OrphanRow({ orphan, isQuarantined, onAsk }: RowProps) {
  const Icon = orphan.kind ? KIND_ICON[orphan.kind] : CircleHelp
  const name = orphanName(orphan)
  const why = cannotAdopt(orphan)
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-1.5 last:border-b-0">
      <Icon className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-small text-ink-3" title={why ?? undefined}>
          {orphan.status} · first seen <Age at={orphan.firstSeenAt} suffix=" ago" />
          {why ? ` · ${why}` : ''}
        </p>
      </div>
      {orphan.decision === 'stop' ? (
        <Status icon={LoaderCircle} tone="wait" isMoving={!isQuarantined}>
          {isQuarantined ? 'Stops after quarantine' : 'Stopping'}
        </Status>
      ) : (
        <span className="flex gap-2">
          <Button size="xs" disabled={why !== null} onClick={() => onAsk('adopt')} aria-label={`Adopt ${name}`}>
            Adopt
          </Button>
          <Button size="xs" kind="danger" onClick={() => onAsk('stop')} aria-label={`Stop ${name}`}>
            Stop
          </Button>
        </span>
      )}
    </li>
  )
}
