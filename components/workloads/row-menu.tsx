'use client'
import { CircleParking, Ellipsis, ExternalLink, Info, type LucideIcon, Pencil, RotateCw, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { openTarget, workloadPath } from '@/components/frame/routes'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu'
import type { WorkloadView } from '@/domain/views'
import { ACTIONS, availability, type WorkloadAction } from './actions'
import { useWorkloadActions } from './use-workload-actions'

type Props = { workload: WorkloadView; onRename: (workload: WorkloadView) => void; onDelete: (workload: WorkloadView) => void }

const STARTS = ['resume', 'restart', 'recover'] as const satisfies readonly WorkloadAction[]

/** What can be done with one row. Only what is possible now is offered; the rest would be noise. */
export function RowMenu({ workload, onRename, onDelete }: Props) {
  const actions = useWorkloadActions()
  const can = (action: WorkloadAction) => availability(action, workload).can
  const open = openTarget(workload)
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${workload.name}`} />}>
      {can('open') ? (
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

function Mark({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden />
}
