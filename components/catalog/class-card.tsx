import { ArrowRight } from 'lucide-react'
import { ClassCells } from '@/components/new/class-cells'
import { bytesText } from '@/components/ui/bytes'
import type { Catalog, GpuClass } from '@/domain/catalog'
import type { MachineView } from '@/domain/views'
import { devicesHere } from './catalog-words'

type Props = { gpuClass: GpuClass; catalog: Catalog; machines: readonly MachineView[] }

/** One class of GPU: its memory, what may stand in for it in order, and the devices of it that are here. */
export function ClassCard({ gpuClass, catalog, machines }: Props) {
  const { id, title, memoryBytes, fallbacks } = gpuClass
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface">
      <h3 className="flex items-baseline gap-2 px-4 pt-3 font-semibold">
        <span className="truncate" title={title}>
          {title}
        </span>
        <span className="ml-auto text-small font-normal whitespace-nowrap text-ink-2 tabular-nums">{bytesText(memoryBytes)}</span>
      </h3>
      <p className="px-4 pt-0.5 font-mono text-small text-ink-3">{id}</p>
      <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-0.5 px-4 py-2 text-small text-ink-2">
        {fallbacks.length === 0 ? 'Nothing stands in for it' : null}
        {fallbacks.map((name) => (
          <span key={name} className="flex items-center gap-1.5">
            <ArrowRight className="size-3 shrink-0 text-ink-3" aria-label="then" />
            <span className="font-mono">{name}</span>
          </span>
        ))}
      </div>
      <div className="mt-auto flex min-h-9 items-center border-t border-line px-4 text-small text-ink-3">
        {devicesHere(gpuClass, catalog, machines) === 0 ? (
          'None that takes your work'
        ) : (
          <ClassCells classId={id} catalog={catalog} machines={machines} />
        )}
      </div>
    </li>
  )
}
