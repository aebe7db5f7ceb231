import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { Meter } from '@/components/ui/meter'
import type { MachineView } from '@/domain/views'
import { DeviceCells } from './device-cells'
import { devicesText, diskShare, memoryShare } from './machine-look'
import { MachineStatus } from './machine-status'

type Props = { machine: MachineView; isChosen: boolean; holders: ReadonlyMap<string, string> }

/** One machine on the map. Choosing it shows the rest below. */
export function MachineCard({ machine, isChosen, holders }: Props) {
  const cpu = machine.isConnected ? (machine.use?.cpu ?? null) : null
  const memory = machine.isConnected ? memoryShare(machine) : null
  return (
    <li>
      <Link
        href={`/machines?machine=${machine.id}`}
        aria-current={isChosen ? 'true' : undefined}
        scroll={false}
        className={cn(
          'block rounded-md border bg-surface px-3 py-2.5 hover:bg-hover',
          isChosen ? 'border-accent outline-1 outline-accent' : 'border-line',
        )}
      >
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{machine.name}</span>
          <span className="truncate text-small text-ink-3">{machine.region}</span>
          <MachineStatus machine={machine} className="ml-auto text-small" />
        </span>
        <span className="mt-2 flex min-h-6 items-center justify-between gap-3">
          <DeviceCells machine={machine} size="lg" holders={holders} />
          <span className="text-small text-ink-2">{devicesText(machine)}</span>
        </span>
        <span className="mt-2 grid grid-cols-3 gap-3 text-small text-ink-3">
          <Share label="CPU" value={cpu} />
          <Share label="Mem" value={memory} />
          <Share label="Disk" value={machine.isConnected ? diskShare(machine) : null} />
        </span>
      </Link>
    </li>
  )
}

function Share({ label, value }: { label: string; value: number | null }) {
  return (
    <span className="flex items-center gap-2">
      <span className="w-7">{label}</span>
      {value === null ? (
        'unknown'
      ) : (
        <>
          <Meter value={value} label={label} className="min-w-0 flex-1" />
          <span className="num w-6 text-right text-small text-ink-2">{Math.round(value * 100)}</span>
        </>
      )}
    </span>
  )
}
