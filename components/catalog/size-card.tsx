import { CircleCheck, CircleSlash } from 'lucide-react'
import { sizeAbility } from '@/components/machines/ability-words'
import { bytesText } from '@/components/ui/bytes'
import { Status } from '@/components/ui/status'
import type { Size } from '@/domain/catalog'
import type { MachineView } from '@/domain/views'
import { notSharedText } from './catalog-words'

type Props = { size: Size; machines: readonly MachineView[]; closed: readonly MachineView[] }

/** One size, and whether the machines here are large enough for it. `closed`: those not shared with this person. */
export function SizeCard({ size, machines, closed }: Props) {
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface">
      <h3 className="flex items-baseline gap-2 px-4 pt-3 font-semibold">
        {size.title}
        <span className="font-mono text-small font-normal text-ink-3">{size.id}</span>
      </h3>
      <p className="px-4 pt-0.5 pb-3 text-ink-2 tabular-nums">
        {size.cpus} CPU · {bytesText(size.memoryBytes)} · {bytesText(size.diskBytes)} of disk
      </p>
      <ul className="mt-auto border-t border-line px-4 py-1.5 empty:hidden">
        {machines.map(({ id, name, inventory }) => {
          if (!inventory) return null
          const { isReady, word, text } = sizeAbility(inventory, size)
          return (
            <li key={id} className="flex min-h-6 flex-wrap items-center gap-x-2 text-small">
              <Status icon={isReady ? CircleCheck : CircleSlash} tone={isReady ? 'good' : 'ink-2'}>
                {word}
              </Status>
              <span className="text-ink-2">{text ? `${name} ${text}` : name}</span>
            </li>
          )
        })}
        {closed.length > 0 ? <li className="min-h-6 text-small text-ink-2">{notSharedText(closed)}</li> : null}
      </ul>
    </li>
  )
}
