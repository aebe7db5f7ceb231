import Link from 'next/link'
import { useMayCreate } from '@/components/api/use-may-create'
import { Bytes } from '@/components/ui/bytes'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import { availability } from '@/components/workloads/actions'
import { KINDS } from '@/domain/kinds'
import { mountName } from '@/domain/mounts'
import type { MachineView, WorkloadView } from '@/domain/views'
import { changeLink } from './change-link'

type Props = { workload: WorkloadView; runtimeTitle: string; machines: readonly MachineView[]; onRename: () => void }

/** Everything that was asked for, as it was asked, and the name, which can change. */
export function RequestPanel({ workload, runtimeTitle, machines, onRename }: Props) {
  const mayCreate = useMayCreate()
  const { spec, kind } = workload
  return (
    <Panel aria-label="Request">
      <PanelHead
        title="Request"
        meta={<span className="max-sm:hidden">as it was asked; what can be changed has a button or stands above</span>}
      >
        {mayCreate ? (
          <Link href={changeLink(workload)} className="link text-small whitespace-nowrap">
            New one like this
          </Link>
        ) : null}
      </PanelHead>
      <FactList className="py-1">
        <NameFact workload={workload} onRename={onRename} />
        <Fact label="Kind">{KINDS[kind].label}</Fact>
        <Fact label="Runtime" meta={<span className="font-mono">{spec.runtime}</span>}>
          {runtimeTitle}
        </Fact>
        <RoomFacts spec={spec} machines={machines} />
        <Fact label="After a reboot">
          {(spec.rebootPolicy ?? KINDS[kind].rebootPolicy) === 'resume' ? 'start again' : 'stay parked'}
        </Fact>
        {kind === 'session' ? (
          <Fact label="Command">
            {spec.command ? <code className="font-mono text-small">{spec.command.join(' ')}</code> : 'a login shell'}
          </Fact>
        ) : null}
        {kind === 'notebook' ? <NotebookFacts spec={spec} /> : null}
        <Fact label="Folders">
          <Folders mounts={spec.mounts} />
        </Fact>
      </FactList>
    </Panel>
  )
}

function NameFact({ workload, onRename }: Pick<Props, 'workload' | 'onRename'>) {
  const rename = availability('rename', workload).can ? (
    <button type="button" onClick={onRename} className="link text-small">
      Rename
    </button>
  ) : null
  return (
    <Fact label="Name" meta={rename}>
      <span className="font-mono text-small">{workload.name}</span>
    </Fact>
  )
}

/** How much of a machine, and of which. */
function RoomFacts({ spec, machines }: { spec: WorkloadView['spec']; machines: readonly MachineView[] }) {
  const chosen = machines.find((machine) => machine.id === spec.machineId)
  return (
    <>
      <Fact label="CPU">{spec.cpus}</Fact>
      <Fact label="Memory">
        <Bytes value={spec.memoryBytes} />
      </Fact>
      <Fact label="Disk">
        <Bytes value={spec.diskBytes} />
      </Fact>
      <Fact label="GPU">{gpuText(spec.gpu)}</Fact>
      <Fact label="Machine">{spec.machineId === null ? 'any that fits' : (chosen?.name ?? spec.machineId)}</Fact>
    </>
  )
}

function NotebookFacts({ spec }: { spec: WorkloadView['spec'] }) {
  return (
    <>
      <Fact label="Kernel">
        {spec.python === null ? 'built from its packages' : <code className="font-mono text-small">{spec.python}</code>}
      </Fact>
      <Fact label="Packages">{packagesText(spec.requirements)}</Fact>
    </>
  )
}

function Folders({ mounts }: { mounts: WorkloadView['spec']['mounts'] }) {
  if (mounts.length === 0) return 'none of its machine'
  return (
    <ul className="min-w-0">
      {mounts.map(({ path, mode }) => (
        <li key={path}>
          <code className="font-mono text-small">{path}</code>
          <span className="text-ink-3">
            {' '}
            at <code className="font-mono text-small">/workspace/{mountName(path)}</code>,{' '}
            {mode === 'rw' ? 'read and write' : 'read only'}
          </span>
        </li>
      ))}
    </ul>
  )
}

function gpuText(gpu: WorkloadView['spec']['gpu']): string {
  if (gpu === null) return 'none'
  const name = gpu.class ?? 'any class'
  return `${gpu.count} × ${name}${gpu.allowFallbacks ? ', or its fallbacks' : ''}`
}

function packagesText(requirements: readonly string[]): React.ReactNode {
  if (requirements.length === 0) return 'none besides the server'
  return <span className="font-mono text-small">{requirements.join(', ')}</span>
}
