'use client'
import { Timer } from 'lucide-react'
import Link from 'next/link'
import { useSyncExternalStore } from 'react'
import { workloadPath } from '@/components/frame/routes'
import { Button } from '@/components/ui/button'
import { onTick, tickMs } from '@/components/ui/clock'
import { NoticeBar } from '@/components/ui/notice-bar'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'
import { stopSoon } from './stop-soon'

/** A stop that comes by itself soon, and how to put it off: one click for an idle one, the settings for the others. */
export function StopBanner({ workload, className = '' }: { workload: WorkloadView; className?: string | undefined }) {
  const actions = useWorkloadActions()
  // Both strings tick: the banner renders again only when its own words change.
  const title = useWords(workload, 'title')
  const why = useWords(workload, 'why')
  if (title === '') return null
  const canKeep = availability('keep', workload).can
  const maySet = workload.may.includes('workload.settings')
  const actionsOfIt = (
    <>
      {canKeep ? (
        <Button size="sm" isBusy={actions.isBusy} onClick={() => void actions.keep([workload])}>
          Keep running
        </Button>
      ) : null}
      {maySet ? (
        <Link href={`${workloadPath(workload.id)}?tab=settings`} className="link mr-2 text-small whitespace-nowrap">
          Change when it parks
        </Link>
      ) : null}
    </>
  )
  const said = (
    <span className="tabular-nums" suppressHydrationWarning>
      {title}.
    </span>
  )
  return (
    <NoticeBar icon={Timer} label="Parks soon" title={said} actions={actionsOfIt} className={className}>
      {why}
    </NoticeBar>
  )
}

function useWords(workload: WorkloadView, part: 'title' | 'why'): string {
  return useSyncExternalStore(
    onTick,
    () => stopSoon(workload, tickMs())?.[part] ?? '',
    () => stopSoon(workload, Date.now())?.[part] ?? '',
  )
}
