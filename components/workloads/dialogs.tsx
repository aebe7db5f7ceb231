'use client'
import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'

const Delete = dynamic(() => import('./delete-dialog').then((m) => m.DeleteDialog), { ssr: false })
const Rename = dynamic(() => import('./rename-dialog').then((m) => m.RenameDialog), { ssr: false })

type Renamed = ComponentProps<typeof Rename>['workload']

/** Asks before a delete, while there are targets. Its code is fetched with the first one. */
export function DeleteDialog(props: ComponentProps<typeof Delete>) {
  return props.targets.length > 0 ? <Delete {...props} /> : null
}

/** Another name for a workload, while there is one. Its code is fetched with the first one. */
export function RenameDialog({ workload, onClose }: { workload: Renamed | null; onClose: () => void }) {
  return workload ? <Rename workload={workload} onClose={onClose} /> : null
}
