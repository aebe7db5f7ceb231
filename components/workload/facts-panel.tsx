'use client'
import { Unplug } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { onTick, tickMs } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { TONE_TEXT } from '@/components/ui/tone'
import type { WorkloadView } from '@/domain/views'
import { type Facts, factsOf } from './facts'

const LABELS = [
  ['state', 'State'],
  ['process', 'Process'],
  ['reach', 'Reach'],
] as const satisfies readonly (readonly [keyof Facts, string])[]

/** State, process and reach, side by side and never merged. */
export function FactsPanel({ workload, className }: { workload: WorkloadView; className?: string }) {
  return (
    <dl
      className={cn(
        'grid grid-cols-[minmax(0,1fr)] divide-line rounded-md border border-line bg-surface max-lg:divide-y lg:grid-cols-[minmax(0,1fr)_280px_280px] lg:divide-x',
        className,
      )}
    >
      {LABELS.map(([fact, label]) => (
        <div key={fact} className="min-w-0 px-4 py-2">
          <dt className="text-micro font-medium text-ink-3">{label}</dt>
          <FactLine workload={workload} fact={fact} />
        </div>
      ))}
    </dl>
  )
}

function FactLine({ workload, fact }: { workload: WorkloadView; fact: keyof Facts }) {
  // Both strings tick: each renders again only when its own words change.
  const value = useFact(workload, (facts) => facts[fact].value)
  const detail = useFact(workload, (facts) => facts[fact].detail)
  const tone = useFact(workload, (facts) => facts[fact].tone)
  return (
    <dd className="flex min-w-0 items-baseline gap-2">
      <span className={cn('flex items-baseline gap-1.5 font-medium whitespace-nowrap', TONE_TEXT[tone])}>
        {tone === 'warn' ? <Unplug className="size-3.5 shrink-0 self-center" aria-hidden /> : null}
        {value}
      </span>
      <span className="min-w-0 text-small text-ink-2 lg:truncate" title={detail} suppressHydrationWarning>
        {detail}
      </span>
    </dd>
  )
}

function useFact<T extends string>(workload: WorkloadView, pick: (facts: Facts) => T): T {
  return useSyncExternalStore(
    onTick,
    () => pick(factsOf(workload, tickMs())),
    () => pick(factsOf(workload, Date.now())),
  )
}
