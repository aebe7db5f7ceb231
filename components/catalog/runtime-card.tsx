import { CircleCheck, CircleMinus, Plus } from 'lucide-react'
import { useMayCreate } from '@/components/api/use-may-create'
import { KIND_ICON } from '@/components/frame/state-look'
import { isolationOf, networkText, runtimeAbility } from '@/components/machines/ability-words'
import { NoIsolation } from '@/components/machines/no-isolation'
import { buttonClass } from '@/components/ui/button'
import { CopyField } from '@/components/ui/copy-field'
import { Link } from '@/components/ui/link'
import { Status } from '@/components/ui/status'
import type { Catalog, Runtime } from '@/domain/catalog'
import { KINDS } from '@/domain/kinds'
import type { MachineView } from '@/domain/views'
import { defaultSizeText, notSharedText } from './catalog-words'

type Props = { runtime: Runtime; catalog: Catalog; machines: readonly MachineView[]; closed: readonly MachineView[] }

/** One runtime: what it is, what its workloads may reach, and whether each machine here can run it. `closed`: those not shared with this person. */
export function RuntimeCard({ runtime, catalog, machines, closed }: Props) {
  const mayCreate = useMayCreate()
  const Icon = KIND_ICON[runtime.kind]
  const kind = KINDS[runtime.kind].label
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface">
      <div className="flex items-start gap-3 px-4 pt-3 pb-2.5 max-sm:flex-wrap">
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-md border border-line bg-sunken text-accent-ink">
          <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
        </span>
        <div className="min-w-0 flex-1 max-sm:basis-3/4">
          <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
            {runtime.title}
            <span className="font-mono text-small font-normal text-ink-3">{runtime.id}</span>
          </h3>
          <p className="text-small text-ink-2">{runtime.detail}</p>
        </div>
        {mayCreate ? (
          <Link href={`/new?kind=${runtime.kind}`} className={buttonClass({ size: 'xs' }, 'max-sm:w-full')}>
            <Plus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
            New {kind.toLowerCase()}
          </Link>
        ) : null}
      </div>
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-y-1 px-4 pb-3 text-small">
        <dt className="text-ink-3">Starts with</dt>
        <dd>{defaultSizeText(catalog, runtime)}</dd>
        <dt className="text-ink-3">Network</dt>
        <dd>{networkText(runtime.egress)}</dd>
        {runtime.server.length > 0 ? (
          <>
            <dt className="text-ink-3">Installs</dt>
            <dd className="font-mono [overflow-wrap:anywhere]">{runtime.server.join(' ')}</dd>
          </>
        ) : null}
      </dl>
      <ul className="mt-auto border-t border-line">
        {machines.map((machine) => (
          <MachineVerdict key={machine.id} machine={machine} runtime={runtime} />
        ))}
        {closed.length > 0 ? (
          <li className="border-t border-line px-4 py-2 text-small text-ink-2 first:border-t-0">{notSharedText(closed)}</li>
        ) : null}
        {machines.length + closed.length === 0 ? (
          <li className="px-4 py-2 text-small text-ink-3">No machine has joined yet.</li>
        ) : null}
      </ul>
    </li>
  )
}

function MachineVerdict({ machine, runtime }: { machine: MachineView; runtime: Runtime }) {
  const { inventory } = machine
  if (!inventory) {
    return <li className="px-4 py-2 text-small text-ink-3">{machine.name} has not said yet what it can run.</li>
  }
  const { isReady, word, text, fix } = runtimeAbility(inventory, runtime)
  return (
    <li className="border-b border-line last:border-b-0">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5">
        <span className="font-medium">{machine.name}</span>
        <Status icon={isReady ? CircleCheck : CircleMinus} tone={isReady ? 'good' : 'ink-2'} className="text-small">
          {word}
        </Status>
        {isReady ? null : <span className="min-w-0 basis-full text-small text-ink-2 [overflow-wrap:anywhere]">{text}</span>}
        {fix ? <CopyField value={fix} label="the line that helps" className="my-1 w-full" /> : null}
      </div>
      {isReady && isolationOf(inventory, runtime) === 'none' ? <NoIsolation machine={machine} /> : null}
    </li>
  )
}
