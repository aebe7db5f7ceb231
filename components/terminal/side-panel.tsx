'use client'
import { Eye, Keyboard, type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Bytes } from '@/components/ui/bytes'
import { IconButton } from '@/components/ui/icon-button'
import { Fact, FactList } from '@/components/ui/panel'
import { FactsPanel } from '@/components/workload/facts-panel'
import { TimelineList } from '@/components/workload/timeline'
import { useTimeline } from '@/components/workload/use-timeline'
import { KindLabel } from '@/components/workloads/kind-label'
import type { WorkloadView } from '@/domain/views'
import type { SessionLine } from './session-line'

type Props = { workload: WorkloadView; line: SessionLine; me: string; isOpen: boolean; onClose: () => void }

/** Beside the terminal, or over it on a phone: the facts, who is here, the last of the timeline. */
export function SidePanel({ workload, line, me, isOpen, onClose }: Props) {
  if (!isOpen) return null
  return (
    <aside
      aria-label="About this session"
      className="flex w-96 shrink-0 flex-col overflow-y-auto border-l border-line bg-surface max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-auto max-md:border-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-4 max-md:h-13">
        <h2 className="font-semibold">About this session</h2>
        <IconButton icon={X} label="Close the panel" size="xs" onClick={onClose} className="-mr-2 ml-auto" />
      </header>
      <div className="[&_dl]:grid-cols-[minmax(0,1fr)] [&_dl]:divide-x-0 [&_dl]:divide-y [&_dl]:rounded-none [&_dl]:border-0 [&_dl]:border-b">
        <FactsPanel workload={workload} />
      </div>
      <SpecFacts workload={workload} />
      <PanelPart title="Here now">
        <People line={line} me={me} />
      </PanelPart>
      <PanelPart title="Timeline">
        <TimelineExcerpt id={workload.id} />
      </PanelPart>
    </aside>
  )
}

function SpecFacts({ workload }: { workload: WorkloadView }) {
  const { placement, spec } = workload
  return (
    <FactList className="border-b border-line py-1">
      <Fact label="Kind">
        <KindLabel kind={workload.kind} />
      </Fact>
      <Fact label="Owner">{workload.isOwn ? 'You' : workload.ownerName}</Fact>
      {placement ? (
        <Fact label="Machine">
          {placement.machineName}
          <span className="text-ink-3">{placement.driver}</span>
        </Fact>
      ) : null}
      <Fact label="Reserved">
        <span>
          {spec.cpus} CPU, <Bytes value={spec.memoryBytes} /> of memory
        </span>
      </Fact>
      <Fact label="Command">
        {spec.command ? <code className="font-mono text-small">{spec.command.join(' ')}</code> : 'a login shell'}
      </Fact>
    </FactList>
  )
}

function PanelPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="flex h-7 items-center border-b border-line bg-sunken px-4 text-micro font-medium text-ink-3">{title}</h3>
      {children}
    </section>
  )
}

/** The gateway names who types and counts who watches. */
function People({ line, me }: { line: SessionLine; me: string }) {
  if (!line.hasAttached || line.status !== 'open') return <p className="px-4 py-2 text-small text-ink-3">Not connected</p>
  const isMine = line.mode === 'control'
  const others = line.viewers
  return (
    <ul className="py-1">
      {isMine ? <PersonLine icon={Keyboard} name={`${me} (you)`} what="types" /> : null}
      {!isMine && line.controller !== null ? <PersonLine icon={Keyboard} name={line.controller} what="types" /> : null}
      {isMine ? null : <PersonLine icon={Eye} name={`${me} (you)`} what="watches" />}
      {others > 0 ? <PersonLine icon={Eye} name={`${others} more`} what={others === 1 ? 'watches' : 'watch'} /> : null}
    </ul>
  )
}

function PersonLine({ icon: Icon, name, what }: { icon: LucideIcon; name: string; what: string }) {
  return (
    <li className="flex h-8 items-center gap-2.5 px-4">
      <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden />
      <span className="truncate font-medium">{name}</span>
      <span className="ml-auto text-small text-ink-3">{what}</span>
    </li>
  )
}

function TimelineExcerpt({ id }: { id: string }) {
  return <TimelineList timeline={useTimeline(id)} />
}
