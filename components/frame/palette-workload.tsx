'use client'
import { Command } from 'cmdk'
import { CircleParking, ExternalLink, ListTree, RotateCw } from 'lucide-react'
import { availability } from '@/components/workloads/actions'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'
import { PALETTE_GROUP, PaletteItem } from './palette-item'
import { openTarget, workloadPath } from './routes'
import { stateLook } from './state-look'
import { useGo } from './use-go'

type Props = { workload: WorkloadView; heading: string | null; isShort: boolean; onClose: () => void }

/** What can be done with one workload. Short: only its page, for a palette in which nothing was typed yet. */
export function PaletteWorkload({ workload, heading, isShort, onClose }: Props) {
  const go = useGo()
  const { id, name } = workload
  const where = workload.placement ? ` on ${workload.placement.machineName}` : ''
  const detail = `${stateLook(workload).word}${where}`
  const canOpen = availability('open', workload).can && !isShort
  const act = (what: () => void) => () => {
    onClose()
    what()
  }
  return (
    <Command.Group {...(heading !== null && { heading })} className={PALETTE_GROUP} value={name}>
      {canOpen ? (
        <PaletteItem
          icon={ExternalLink}
          isStrong
          detail={detail}
          value={`${name} ${id} 1`}
          keywords={[`open ${name}`]}
          onSelect={act(() => open(workload, go))}
        >
          Open {name}
        </PaletteItem>
      ) : null}
      <PaletteItem
        icon={ListTree}
        detail={canOpen ? undefined : detail}
        value={`${name} ${id} 2`}
        onSelect={act(() => go(workloadPath(id)))}
      >
        {name}: facts and timeline
      </PaletteItem>
      {isShort ? null : <Verbs workload={workload} act={act} />}
    </Command.Group>
  )
}

/** What stops it or lets it go on, as far as its state allows. */
function Verbs({ workload, act }: { workload: WorkloadView; act: (what: () => void) => () => void }) {
  const actions = useWorkloadActions()
  const { id, name } = workload
  const verbs = [
    { action: 'park', rank: 3, icon: CircleParking, label: 'Park', run: () => void actions.park([workload]) },
    { action: 'resume', rank: 4, icon: RotateCw, label: 'Resume', run: () => void actions.resume(workload) },
  ] as const
  return verbs
    .filter(({ action }) => availability(action, workload).can)
    .map(({ action, rank, icon, label, run }) => (
      <PaletteItem key={action} icon={icon} value={`${name} ${id} ${rank}`} keywords={[`${action} ${name}`]} onSelect={act(run)}>
        {label} {name}
      </PaletteItem>
    ))
}

function open(workload: WorkloadView, push: (href: string) => void): void {
  const { href, isNewTab } = openTarget(workload)
  if (isNewTab) window.open(href, '_blank', 'noopener')
  else push(href)
}
