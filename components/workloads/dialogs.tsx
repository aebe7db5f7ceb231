'use client'
import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import type { Outcome } from './use-workload-actions'

const Delete = dynamic(() => import('./delete-dialog').then((m) => m.DeleteDialog), { ssr: false })
const Rename = dynamic(() => import('./rename-dialog').then((m) => m.RenameDialog), { ssr: false })
const Ends = dynamic(() => import('./outcome-dialog').then((m) => m.OutcomeDialog), { ssr: false })

type Renamed = ComponentProps<typeof Rename>['workload']

/** Asks before a delete, while there are targets. Its code is fetched with the first one. */
export function DeleteDialog(props: ComponentProps<typeof Delete>) {
  return props.targets.length > 0 ? <Delete {...props} /> : null
}

/** Another name for a workload, while there is one. Its code is fetched with the first one. */
export function RenameDialog({ workload, onClose }: { workload: Renamed | null; onClose: () => void }) {
  return workload ? <Rename workload={workload} onClose={onClose} /> : null
}

/** What became of each of several rows, while there is something to tell. Its code is fetched with the first one. */
export function OutcomeDialog({ outcome, onClose }: { outcome: Outcome | null; onClose: () => void }) {
  return outcome ? <Ends outcome={outcome} onClose={onClose} /> : null
}
