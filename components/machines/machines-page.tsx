'use client'
import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, Server } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Empty } from '@/components/ui/empty'
import { PageHead, Stack } from '@/components/ui/page'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { MachineView, WorkloadView } from '@/domain/views'
import { AbilitiesPanel, DriversPanel } from './abilities-panel'
import { CapacityFacts } from './capacity-facts'
import { CellLegend } from './cell-legend'
import { HardwarePanel } from './hardware-panel'
import { holdersOf } from './holders'
import { runsUnisolated } from './isolation-words'
import { MachineCard } from './machine-card'
import { MachineFacts } from './machine-facts'
import { canChange, freeDevices } from './machine-look'
import { MachineWorkloads } from './machine-workloads'
import { NoIsolation } from './no-isolation'
import { OrphansPanel } from './orphans-panel'
import { PLACED } from './queries'
import { RegistriesPanel } from './registries-panel'
import { RootsPanel } from './roots-panel'
import { SilentBanner } from './silent-banner'
import { SuspectBanner } from './suspect-banner'
import { ToolsPanel } from './tools-panel'

/** The machines, and everything about the chosen one. */
export function MachinesPage({ chosenId }: { chosenId: string | null }) {
  const trpc = useTRPC()
  const machines = useQuery(trpc.machines.list.queryOptions())
  const workloads = useQuery(trpc.workloads.list.queryOptions(PLACED))
  const rows = machines.data ?? []
  const chosen = rows.find((m) => m.id === chosenId) ?? rows[0]
  const placed = workloads.data?.rows ?? []
  return (
    <>
      <PageHead title="Machines">{machines.data ? summary(rows) : ' '}</PageHead>
      <Stack>
        {machines.isError && !machines.data ? (
          <Panel>
            <QueryFailed
              error={machines.error}
              what="Machines"
              onRetry={() => void machines.refetch()}
              isRetrying={machines.isFetching}
            />
          </Panel>
        ) : null}
        {machines.isPending ? (
          <Panel>
            <SkeletonRows />
          </Panel>
        ) : null}
        {machines.data?.length === 0 ? (
          <Panel>
            <Empty icon={Server} title="No machine yet">
              This machine joins by itself, about 10 s after Berth has started.
            </Empty>
          </Panel>
        ) : null}
        {rows.length > 1 ? <MachineMap machines={rows} chosen={chosen} holders={holdersOf(placed)} /> : null}
        {chosen ? <Chosen machine={chosen} workloads={placed.filter((w) => w.placement?.machineId === chosen.id)} /> : null}
      </Stack>
    </>
  )
}

function MachineMap({
  machines,
  chosen,
  holders,
}: {
  machines: readonly MachineView[]
  chosen: MachineView | undefined
  holders: ReadonlyMap<string, string>
}) {
  const hasDevices = machines.some((m) => (m.inventory?.devices.length ?? 0) > 0)
  return (
    <div>
      {hasDevices ? <CellLegend className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2" /> : null}
      <ul aria-label="Machines" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {machines.map((machine) => (
          <MachineCard key={machine.id} machine={machine} isChosen={machine.id === chosen?.id} holders={holders} />
        ))}
      </ul>
    </div>
  )
}

function Chosen({ machine, workloads }: { machine: MachineView; workloads: readonly WorkloadView[] }) {
  const trpc = useTRPC()
  const catalog = useQuery(trpc.catalog.get.queryOptions())
  const me = useQuery(trpc.me.get.queryOptions())
  const mayChange = me.data !== undefined && canChange(machine, me.data)
  const { inventory } = machine
  if (!inventory) {
    return (
      <Panel>
        <Empty icon={LoaderCircle} title={`${machine.name} has not said yet what it has`}>
          Its agent measures the machine when it joins; that takes a few seconds.
        </Empty>
      </Panel>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[400px_minmax(0,1fr)]">
      {runsUnisolated(inventory) ? <NoIsolation machine={machine} className="rounded-md lg:col-span-2" /> : null}
      <SilentBanner machine={machine} here={workloads.length} canChange={mayChange} className="rounded-md lg:col-span-2" />
      <SuspectBanner machine={machine} canClear={mayChange} className="rounded-md lg:col-span-2" />
      <OrphansPanel machine={machine} className="lg:col-span-2" />
      <Stack>
        <MachineFacts machine={machine} />
        <HardwarePanel machine={machine} inventory={inventory} />
        <CapacityFacts machine={machine} inventory={inventory} />
        <ToolsPanel tools={inventory.tools} />
        {inventory.registries ? <RegistriesPanel registries={inventory.registries} /> : null}
      </Stack>
      <Stack>
        <MachineWorkloads workloads={workloads} />
        {catalog.data ? <AbilitiesPanel inventory={inventory} catalog={catalog.data} /> : null}
        <DriversPanel inventory={inventory} />
        <RootsPanel machine={machine} canEdit={mayChange} />
      </Stack>
    </div>
  )
}

function summary(machines: readonly MachineView[]): string {
  const online = machines.filter((m) => m.isConnected).length
  const gpus = machines.reduce((sum, m) => sum + (m.inventory?.devices.length ?? 0), 0)
  const free = machines.reduce((sum, m) => sum + freeDevices(m), 0)
  return `${online} of ${machines.length} reachable${gpus > 0 ? `, ${free} of ${gpus} GPUs free for you` : ''}.`
}
