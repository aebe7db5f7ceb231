'use client'
import { CirclePause, CopyPlus, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useMayCreate } from '@/components/api/use-may-create'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu'
import { ACTIONS, availability, type WorkloadAction } from '@/components/workloads/actions'
import type { WorkloadView } from '@/domain/views'
import { changeLink } from './change-link'

type Props = {
  workload: WorkloadView
  onRename: () => void
  onDelete: () => void
  /** Null: it cannot be paused now. */
  onPause: (() => void) | null
}

/** What is done less often with a workload, and on a phone what has no room beside it. */
export function MoreMenu({ workload, onRename, onDelete, onPause }: Props) {
  // Whoever only looks has nothing to choose here.
  if (!useMayCreate()) return null
  const can = (action: WorkloadAction) => availability(action, workload).can
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label="More" size="md" isFramed className="max-md:ml-auto" />}>
      {onPause ? (
        <MenuItem icon={CirclePause} onSelect={onPause}>
          {ACTIONS.pause.label}
        </MenuItem>
      ) : null}
      {can('rename') ? (
        <MenuItem icon={Pencil} onSelect={onRename}>
          {ACTIONS.rename.label}
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <Link href={changeLink(workload)}>
          <CopyPlus className="size-3.5 shrink-0 text-ink-3" aria-hidden />
          New one like this…
        </Link>
      </MenuItem>
      {can('delete') ? (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger onSelect={onDelete}>
            {workload.workloadGen === 0 ? 'Cancel…' : ACTIONS.delete.label}
          </MenuItem>
        </>
      ) : null}
    </Menu>
  )
}
