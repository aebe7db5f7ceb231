'use client'
import { CircleParking, CirclePause, Ellipsis, ExternalLink, Info, type LucideIcon, Pencil, RotateCw, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { openTarget, workloadPath } from '@/components/frame/routes'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu'
import type { WorkloadView } from '@/domain/views'
import { ACTIONS, availability, STARTS, type WorkloadAction } from './actions'
import { useCanPause } from './use-can-pause'
import type { WorkloadActions } from './use-workload-actions'

/** What rows hand on to their menus. */
export type RowActions = {
  actions: WorkloadActions
  onRename: (workload: WorkloadView) => void
  onDelete: (workload: WorkloadView) => void
}

/** What can be done with one row. Only what is possible now is offered; the rest would be noise. */
export function RowMenu({ workload, actions, onRename, onDelete }: RowActions & { workload: WorkloadView }) {
  const can = (action: WorkloadAction) => availability(action, workload).can
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${workload.name}`} />}>
      <Links workload={workload} />
      <PauseItem workload={workload} onPause={() => void actions.pause(workload)} />
      {can('park') ? (
        <MenuItem icon={CircleParking} onSelect={() => void actions.park([workload])}>
          Park
        </MenuItem>
      ) : null}
      {STARTS.filter(can).map((action) => (
        <MenuItem key={action} icon={RotateCw} onSelect={() => void actions[action](workload)}>
          {ACTIONS[action].label}
        </MenuItem>
      ))}
      {can('rename') ? (
        <MenuItem icon={Pencil} onSelect={() => onRename(workload)}>
          {ACTIONS.rename.label}
        </MenuItem>
      ) : null}
      {can('delete') ? (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger onSelect={() => onDelete(workload)}>
            {workload.workloadGen === 0 ? 'Cancel…' : ACTIONS.delete.label}
          </MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

function PauseItem({ workload, onPause }: { workload: WorkloadView; onPause: () => void }) {
  if (!useCanPause(workload)) return null
  return (
    <MenuItem icon={CirclePause} onSelect={onPause}>
      {ACTIONS.pause.label}
    </MenuItem>
  )
}

function Links({ workload }: { workload: WorkloadView }) {
  const open = openTarget(workload)
  return (
    <>
      {availability('open', workload).can ? (
        <MenuItem asChild>
          <Link href={open.href} {...(open.isNewTab && { target: '_blank', prefetch: false })}>
            <Mark icon={ExternalLink} />
            Open
          </Link>
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <Link href={workloadPath(workload.id)}>
          <Mark icon={Info} />
          Details
        </Link>
      </MenuItem>
    </>
  )
}

function Mark({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden />
}
