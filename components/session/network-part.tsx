'use client'
import { useQuery } from '@tanstack/react-query'
import { type LucideIcon, Shield, ShieldCheck, ShieldX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Button } from '@/components/ui/button'
import { CopyField } from '@/components/ui/copy-field'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { useTimeline } from '@/components/workload/use-timeline'
import type { WorkloadView } from '@/domain/views'
import { allowLine, egressWords, refusedHosts, whyRefused } from './network-words'
import { PanelPart } from './panel-part'

/** Entries that are looked through for refusals at first; older ones are a click away. */
const LOOK_BACK = 100

/** What a session may reach, and what was refused. */
export function NetworkPart({ workload }: { workload: WorkloadView }) {
  const catalog = useQuery(useTRPC().catalog.get.queryOptions())
  const timeline = useTimeline(workload.id, LOOK_BACK)
  const egress = catalog.data?.runtimes.find((runtime) => runtime.id === workload.spec.runtime)?.egress
  return (
    <>
      {egress ? (
        <p className="flex items-center gap-2 px-4 py-2.5">
          <Shield className="size-3.5 shrink-0 text-ink-3" aria-hidden />
          {egressWords(egress)}
        </p>
      ) : null}
      {catalog.isPending ? <SkeletonRows rows={1} /> : null}
      <Refused timeline={timeline} />
      {egress && egress.allow.length > 0 ? (
        <PanelPart title="Allowed">
          <ul>
            {egress.allow.map((host) => (
              <HostLine key={host} icon={ShieldCheck} tone="text-good" host={host}>
                By its runtime
              </HostLine>
            ))}
          </ul>
        </PanelPart>
      ) : null}
      {egress && !egress.open ? (
        <ToAllow runtime={workload.spec.runtime} line={allowLine(egress, refusedHosts(timeline.events))} />
      ) : null}
      <p className="border-t border-line px-4 py-2.5 text-small text-ink-3">
        A refused program is told so, and nothing is sent. Addresses of this machine and of private networks are never reachable.
      </p>
    </>
  )
}

/** The way forward for a host that was refused: a line of the catalog, which is a file of whoever operates this Berth. */
function ToAllow({ runtime, line }: { runtime: string; line: string | null }) {
  if (line === null) return null
  return (
    <PanelPart title="To allow it">
      <div className="px-4 py-2.5 text-small text-ink-2">
        <p>
          In the operator’s own catalog file, under <code className="font-mono">id: {runtime}</code>:
        </p>
        <CopyField value={line} label="the catalog line" isMultiline className="my-2" />
        <p>
          Start Berth with that file as its catalog, then park and resume this session. “A catalog of your own” in{' '}
          <code className="font-mono">docs/operating.md</code> says how.
        </p>
      </div>
    </PanelPart>
  )
}

/** What was refused, as far back as was looked. */
function Refused({ timeline }: { timeline: ReturnType<typeof useTimeline> }) {
  const refused = refusedHosts(timeline.events)
  return (
    <PanelPart title="Refused" meta="times">
      {timeline.error && timeline.events.length === 0 ? (
        <QueryFailed error={timeline.error} what="Refusals" onRetry={timeline.retry} isRetrying={timeline.isFetching} />
      ) : null}
      {refused.length === 0 && !timeline.isPending ? (
        <p className="px-4 py-2 text-small text-ink-3">Nothing was refused{timeline.hasOlder ? ' lately' : ''}.</p>
      ) : null}
      <ul>
        {refused.map(({ host, times, lastAt }) => (
          <HostLine key={host} icon={ShieldX} tone="text-bad" host={host} end={<span className="num">{times}</span>}>
            {whyRefused(host)} Last <Moment at={lastAt} />
          </HostLine>
        ))}
      </ul>
      {timeline.hasOlder ? (
        <div className="px-4 py-1.5">
          <Button size="xs" kind="ghost" className="-ml-2" isBusy={timeline.isLoadingOlder} onClick={timeline.showOlder}>
            Look further back
          </Button>
        </div>
      ) : null}
    </PanelPart>
  )
}

type HostProps = { icon: LucideIcon; tone: string; host: string; children: ReactNode; end?: ReactNode }

function HostLine({ icon: Icon, tone, host, children, end }: HostProps) {
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1 last:border-b-0">
      <Icon className={`size-3.5 shrink-0 ${tone}`} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-mono text-small" title={host}>
          {host}
        </p>
        <p className="text-small text-ink-3">{children}</p>
      </div>
      {end}
    </li>
  )
}
