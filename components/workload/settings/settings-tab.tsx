'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { Columns } from '@/components/ui/page'
import type { WorkloadView } from '@/domain/views'
import { RequestPanel } from '../request-panel'
import { PackagesPanel } from './packages-panel'
import { SettingsPanel } from './settings-panel'

type Props = { workload: WorkloadView; runtimeTitle: string; onRename: () => void }

/** When it parks by itself, its packages, and what was asked for. */
export function SettingsTab({ workload, runtimeTitle, onRename }: Props) {
  const machines = useQuery(useTRPC().machines.list.queryOptions())
  return (
    <Columns side="none">
      <div>
        <SettingsPanel workload={workload} />
        {hasPackages(workload) ? <PackagesPanel workload={workload} /> : null}
      </div>
      <RequestPanel workload={workload} runtimeTitle={runtimeTitle} machines={machines.data ?? []} onRename={onRename} />
    </Columns>
  )
}

/** A notebook with a Python of its owner as the kernel installs none. */
function hasPackages({ kind, spec }: WorkloadView): boolean {
  return kind === 'notebook' && spec.python === null
}
