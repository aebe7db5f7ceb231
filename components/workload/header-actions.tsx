'use client'
import { CircleParking, CirclePause, CircleSlash, CopyPlus, ExternalLink, SlidersHorizontal, Trash2 } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useMayCreate } from '@/components/api/use-may-create'
import { Button, buttonClass } from '@/components/ui/button'
import { ACTIONS, availability, type WorkloadAction } from '@/components/workloads/actions'
import { OpenLink } from '@/components/workloads/open-link'
import { StartButtons } from '@/components/workloads/start-buttons'
import { useCanPause } from '@/components/workloads/use-can-pause'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import { isTerminal } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { changeLink } from './change-link'

// Drawn by the server; its code comes beside the page's own.
const MoreMenu = dynamic(() => import('./more-menu').then((m) => m.MoreMenu), { loading: () => null })

type Props = { workload: WorkloadView; onRename: () => void; onDelete: () => void }

/** The actions of a workload's page: the one that fits its state first, the rest in a menu. */
export function HeaderActions({ workload, onRename, onDelete }: Props) {
  const actions = useWorkloadActions()
  const canPause = useCanPause(workload)
  const mayCreate = useMayCreate()
  const can = (action: WorkloadAction) => availability(action, workload).can
  const pause = canPause ? () => void actions.pause(workload) : null
  return (
    <div className="ml-auto flex items-center gap-2 max-md:order-last max-md:mt-2 max-md:ml-0 max-md:w-full">
      {can('open') ? (
        <OpenLink workload={workload} className={buttonClass({ kind: 'primary' })}>
          <ExternalLink className="size-3.5 shrink-0" aria-hidden />
          Open
        </OpenLink>
      ) : null}
      <StartButtons workload={workload} actions={actions} isPrimary={!can('open')} />
      {isTerminal(workload.state) && mayCreate ? (
        <Link href={changeLink(workload)} className={buttonClass()}>
          <CopyPlus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          New one like this
        </Link>
      ) : null}
      {workload.state === 'queued' && can('rename') ? (
        <Link href={changeLink(workload)} className={buttonClass()}>
          <SlidersHorizontal className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          Change request
        </Link>
      ) : null}
      {pause ? (
        <Button disabled={actions.isBusy} onClick={pause} className="max-lg:hidden">
          <CirclePause className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          {ACTIONS.pause.label}
        </Button>
      ) : null}
      {can('park') ? (
        <Button disabled={actions.isBusy} onClick={() => void actions.park([workload])}>
          <CircleParking className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          Park
        </Button>
      ) : null}
      {can('delete') ? <DeleteButton workload={workload} onDelete={onDelete} /> : null}
      <MoreMenu workload={workload} onRename={onRename} onDelete={onDelete} onPause={pause} />
    </div>
  )
}

/** What was never placed has nothing to delete: it is canceled. */
function DeleteButton({ workload, onDelete }: Pick<Props, 'workload' | 'onDelete'>) {
  const Icon = workload.workloadGen === 0 ? CircleSlash : Trash2
  return (
    <Button kind="danger" onClick={onDelete} className="max-sm:hidden">
      <Icon className="size-3.5 shrink-0" aria-hidden />
      {workload.workloadGen === 0 ? 'Cancel…' : ACTIONS.delete.label}
    </Button>
  )
}
