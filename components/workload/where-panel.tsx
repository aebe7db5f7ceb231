'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { runsAs } from '@/components/machines/driver-words'
import { stopWords } from '@/components/new/stop-times'
import { Bytes } from '@/components/ui/bytes'
import { Meter } from '@/components/ui/meter'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import { Age } from '@/components/ui/time'
import { classWords } from '@/components/workloads/class-label'
import type { MachineView, WorkloadView } from '@/domain/views'

/** Where a placed workload runs and what is reserved for it: the asked and the placed class apart. */
export function WherePanel({ workload }: { workload: WorkloadView }) {
  const { placement, spec, workspaceMachineId, reach } = workload
  if (!placement) {
    return (
      <Panel aria-label="Where it is">
        <PanelHead title="Where it is" />
        <FactList className="py-1">
          <Fact label="Machine">{workspaceMachineId && reach ? reach.machineName : 'none'}</Fact>
          <Fact label="Workspace">{workspaceMachineId ? 'kept there; it starts there again' : 'none'}</Fact>
        </FactList>
      </Panel>
    )
  }
  const gpu = classWords(spec, placement)
  const stops = stopWords(workload.settings)
  return (
    <Panel aria-label="Where it runs">
      <PanelHead title="Where it runs" meta={`generation ${placement.workloadGen}`} />
      <FactList className="py-1">
        <Fact label="Machine">
          <span className="font-medium">{placement.machineName}</span>
          <span className="text-ink-3">{runsAs(placement.driver)}</span>
        </Fact>
        <Fact label="Class">
          {gpu.text}
          {gpu.asked ? <span className="text-ink-3">asked {gpu.asked}</span> : null}
        </Fact>
        <Fact label="Reserved">
          <span>
            {placement.cpus} CPU, <Bytes value={placement.memoryBytes} /> of memory, <Bytes value={placement.diskBytes} /> of disk
          </span>
        </Fact>
        <Fact label="Placed">
          <span>
            <Age at={placement.createdAt} suffix=" ago" />
          </span>
        </Fact>
        <Fact label="Folders">
          {spec.mounts.length === 0 ? 'none of its machine' : spec.mounts.map((m) => m.path).join(', ')}
        </Fact>
        <Fact label="Parks itself">{stops.length === 0 ? 'never' : stops.join(', ')}</Fact>
      </FactList>
    </Panel>
  )
}

/** What its machine does now, as measured: all workloads on it together. */
export function MachineUsePanel({ machineId }: { machineId: string }) {
  const { data: machine } = useQuery(useTRPC().machines.get.queryOptions({ id: machineId }))
  if (!machine?.use || !machine.inventory || !machine.isConnected) return null
  return (
    <Panel aria-label={`Use of ${machine.name}`}>
      <PanelHead title={`Use of ${machine.name}`} meta="everything on it, now" />
      <div className="grid grid-cols-[minmax(0,1fr)] divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
        {usesOf(machine).map(({ label, share, text }) => (
          <div key={label} className="px-4 pt-2.5 pb-3">
            <p className="flex items-baseline justify-between gap-2">
              <span className="text-small text-ink-2">{label}</span>
              <span className="num text-lead font-medium">{Math.round(share * 100)} %</span>
            </p>
            <Meter value={share} label={`${label} of ${machine.name}`} className="mt-2 block w-full" />
            <p className="mt-1.5 text-small text-ink-3">{text}</p>
          </div>
        ))}
      </div>
    </Panel>
  )
}

function usesOf(machine: MachineView): { label: string; share: number; text: React.ReactNode }[] {
  const { use, inventory } = machine
  if (!use || !inventory) return []
  const of = (used: number, total: number) => (
    <>
      <Bytes value={used} /> of <Bytes value={total} />
    </>
  )
  const diskUsed = inventory.diskBytes - use.diskFreeBytes
  return [
    { label: 'CPU', share: use.cpu, text: `${(use.cpu * inventory.cpus).toFixed(1)} of ${inventory.cpus} cores` },
    { label: 'Memory', share: use.memoryBytes / inventory.memoryBytes, text: of(use.memoryBytes, inventory.memoryBytes) },
    { label: 'Disk', share: diskUsed / inventory.diskBytes, text: of(diskUsed, inventory.diskBytes) },
  ]
}
