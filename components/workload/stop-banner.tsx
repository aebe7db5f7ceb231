'use client'
import { Timer } from 'lucide-react'
import Link from 'next/link'
import { useSyncExternalStore } from 'react'
import { workloadPath } from '@/components/frame/routes'
import { Button } from '@/components/ui/button'
import { onTick, tickMs } from '@/components/ui/clock'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'
import { stopSoon } from './stop-soon'

/** A stop that comes by itself soon, and how to put it off: one click for an idle one, the settings for the others. */
export function StopBanner({ workload, className = '' }: { workload: WorkloadView; className?: string }) {
  const actions = useWorkloadActions()
  // Both strings tick: the banner renders again only when its own words change.
  const title = useWords(workload, 'title')
  const why = useWords(workload, 'why')
  if (title === '') return null
  const canKeep = availability('keep', workload).can
  const maySet = workload.may.includes('workload.settings')
  return (
    <section
      aria-label="Parks soon"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 bg-warn-soft px-4 py-2 ${className}`}
    >
      <Timer className="size-4 shrink-0 text-warn" strokeWidth={1.75} aria-hidden />
      <p className="min-w-0 flex-1">
        <span className="font-medium text-warn tabular-nums" suppressHydrationWarning>
          {title}
        </span>{' '}
        <span className="text-ink-2">{why}</span>
      </p>
      {canKeep ? (
        <Button size="sm" isBusy={actions.isBusy} onClick={() => void actions.keep([workload])}>
          Keep running
        </Button>
      ) : null}
      {maySet ? (
        <Link href={`${workloadPath(workload.id)}?tab=settings`} className="link text-small whitespace-nowrap">
          Change when it parks
        </Link>
      ) : null}
    </section>
  )
}

function useWords(workload: WorkloadView, part: 'title' | 'why'): string {
  return useSyncExternalStore(
    onTick,
    () => stopSoon(workload, tickMs())?.[part] ?? '',
    () => stopSoon(workload, Date.now())?.[part] ?? '',
  )
}
