'use client'
import { useQuery } from '@tanstack/react-query'
import { Eye, Keyboard, type LucideIcon } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { runsAs } from '@/components/machines/driver-words'
import { isUnisolated } from '@/components/machines/isolation-words'
import { NoIsolation } from '@/components/machines/no-isolation'
import { stopWords } from '@/components/new/stop-times'
import type { SessionLine } from '@/components/terminal/session-line'
import { Bytes } from '@/components/ui/bytes'
import { Fact, FactList } from '@/components/ui/panel'
import { FactsPanel } from '@/components/workload/facts-panel'
import { TimelineList } from '@/components/workload/timeline'
import { useTimeline } from '@/components/workload/use-timeline'
import { KindLabel } from '@/components/workloads/kind-label'
import { mountName } from '@/domain/mounts'
import type { WorkloadView } from '@/domain/views'
import { PanelPart } from './panel-part'

type Props = { workload: WorkloadView; line: SessionLine; me: string }

/** The facts of a session, who is here, and its timeline. */
export function InfoPart({ workload, line, me }: Props) {
  const machines = useQuery(useTRPC().machines.list.queryOptions())
  const { placement } = workload
  const machine = machines.data?.find(({ id }) => id === placement?.machineId)
  return (
    <>
      {placement && isUnisolated(placement.driver) ? <NoIsolation machine={machine} className="border-b border-line" /> : null}
      <div className="[&_dl]:grid-cols-[minmax(0,1fr)] [&_dl]:divide-x-0 [&_dl]:divide-y [&_dl]:rounded-none [&_dl]:border-0">
        <FactsPanel workload={workload} />
      </div>
      <PanelPart title="Here now">
        <People line={line} me={me} />
      </PanelPart>
      <PanelPart title="Environment">
        <EnvironmentFacts workload={workload} />
      </PanelPart>
      <PanelPart title="Timeline">
        <TimelineList timeline={useTimeline(workload.id)} />
      </PanelPart>
    </>
  )
}

function EnvironmentFacts({ workload }: { workload: WorkloadView }) {
  const { placement, spec, settings } = workload
  const stops = stopWords(settings)
  return (
    <FactList className="py-1">
      <Fact label="Kind">
        <KindLabel kind={workload.kind} />
      </Fact>
      <Fact label="Owner">{workload.isOwn ? 'You' : workload.ownerName}</Fact>
      {placement ? (
        <Fact label="Machine">
          {placement.machineName}
          <span className="text-ink-3">{runsAs(placement.driver)}</span>
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
      <Fact label="Folders">
        {spec.mounts.length === 0 ? (
          'none of its machine'
        ) : (
          <span>{spec.mounts.map(({ path, mode }) => `${path} at ${mountName(path)} (${mode})`).join(', ')}</span>
        )}
      </Fact>
      <Fact label="Parks itself">{stops.length === 0 ? 'never' : stops.join(', ')}</Fact>
    </FactList>
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
