'use client'
import { useQuery } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useLive } from '@/components/api/live'
import { QueryFailed } from '@/components/api/query-failed'
import { goToSignIn } from '@/components/frame/go-to-sign-in'
import { AbilitiesPanel } from '@/components/machines/abilities-panel'
import { HardwarePanel } from '@/components/machines/hardware-panel'
import { runsUnisolated } from '@/components/machines/isolation-words'
import { NoIsolation } from '@/components/machines/no-isolation'
import { ToolsPanel } from '@/components/machines/tools-panel'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import type { Catalog } from '@/domain/catalog'
import type { Kind } from '@/domain/kinds'
import type { Inventory } from '@/domain/machines'
import type { MachineView } from '@/domain/views'
import { SetupFrame } from './setup-frame'
import { StartCard } from './start-card'

/** Until the machine has spoken it is asked this often; the live subscription takes over from there. */
const JOINING_MS = 1000

/** The second page: what this machine has, what it can run, and two ways to start. */
export function SetupMachinePage({ version }: { version: string }) {
  const trpc = useTRPC()
  useLive(goToSignIn)
  const catalog = useQuery(trpc.catalog.get.queryOptions())
  const machines = useQuery({
    ...trpc.machines.list.queryOptions(),
    refetchInterval: (query) => (query.state.data?.some((m) => m.inventory) ? false : JOINING_MS),
  })
  const machine = machines.data?.find((m) => m.inventory) ?? machines.data?.[0]
  const failed = machines.isError && !machines.data ? machines : catalog.isError && !catalog.data ? catalog : null
  return (
    <SetupFrame step={2} version={version}>
      <main className="mx-auto flex w-full max-w-288 flex-1 flex-col px-4 pt-6 pb-6 md:pt-[9vh]">
        {failed ? (
          <Panel>
            <QueryFailed
              error={failed.error}
              what="This machine"
              onRetry={() => void failed.refetch()}
              isRetrying={failed.isFetching}
            />
          </Panel>
        ) : machine?.inventory && catalog.data ? (
          <Ready machine={machine} inventory={machine.inventory} catalog={catalog.data} />
        ) : (
          <Joining name={machine?.name} />
        )}
      </main>
    </SetupFrame>
  )
}

function Ready({ machine, inventory, catalog }: { machine: MachineView; inventory: Inventory; catalog: Catalog }) {
  const canRun = (kind: Kind) => {
    const ids = catalog.runtimes.filter((r) => r.kind === kind).map((r) => r.id)
    return inventory.runtimes.some((offer) => offer.works && ids.includes(offer.runtime))
  }
  const [notebook, session] = [canRun('notebook'), canRun('session')]
  return (
    <>
      <div className="mb-5">
        <h1 className="text-title font-semibold [overflow-wrap:anywhere]">
          {machine.name} {notebook || session ? 'is ready' : 'has joined'}
        </h1>
        <p className="mt-0.5 text-ink-2">This is what it has, and what Berth can run on it.</p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[400px_minmax(0,1fr)]">
        {runsUnisolated(inventory) ? <NoIsolation machine={machine} className="rounded-md lg:col-span-2" /> : null}
        <div className="flex flex-col gap-4">
          <HardwarePanel machine={machine} inventory={inventory} />
          <ToolsPanel tools={inventory.tools} />
        </div>
        <AbilitiesPanel inventory={inventory} catalog={catalog} />
      </div>
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <StartCard kind="notebook" catalog={catalog} isPrimary={notebook} isReady={notebook} />
        <StartCard kind="session" catalog={catalog} isPrimary={!notebook} isReady={session} />
      </div>
      <p className="mt-4 text-center text-small text-ink-3">
        Or{' '}
        <Link href="/" className="link">
          go to the home page
        </Link>
        .
      </p>
    </>
  )
}

/** The agent is on its way: what it does now, and where its facts will stand. */
function Joining({ name }: { name: string | undefined }) {
  return (
    <>
      <div className="mb-5" role="status">
        <h1 className="text-title font-semibold">{name ? `${name} is joining` : 'Looking at this machine'}</h1>
        <p className="mt-0.5 flex items-center gap-2 text-ink-2">
          <LoaderCircle className="size-3.5 shrink-0 animate-spin text-wait" aria-hidden />
          {name ? 'Reading its inventory.' : 'Its agent starts and joins by itself.'} This takes a few seconds.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[400px_minmax(0,1fr)]" aria-hidden>
        <Panel>
          {['GPU', 'Processor', 'Memory', 'Disk', 'System'].map((label) => (
            <div key={label} className="flex h-8 items-center border-b border-line px-4 last:border-b-0">
              <span className="w-28 text-ink-3">{label}</span>
              <Skeleton className="w-40" />
            </div>
          ))}
        </Panel>
        <Panel>
          <SkeletonRows rows={4} />
        </Panel>
      </div>
    </>
  )
}
