import { deviceLook } from '@/components/machines/machine-look'
import { DeviceCell } from '@/components/ui/device-cell'
import type { Catalog } from '@/domain/catalog'
import { deviceClass } from '@/domain/gpu-class'
import type { MachineView } from '@/domain/views'

const SHOWN_MAX = 12

/** All GPUs of one class, over all machines: free ones first. */
export function ClassCells({
  classId,
  catalog,
  machines,
}: {
  classId: string
  catalog: Catalog
  machines: readonly MachineView[]
}) {
  const cells = machines.flatMap((m) =>
    (m.inventory?.devices ?? [])
      .filter((d) => deviceClass(d, catalog) === classId)
      .map((d) => ({ ...deviceLook(m, d), key: d.uuid })),
  )
  if (cells.length === 0) return null
  const sorted = [...cells].sort((a, b) => Number(b.look === 'free') - Number(a.look === 'free'))
  const free = cells.filter((c) => c.look === 'free').length
  return (
    <span className="flex items-center gap-2.5">
      <span className="flex w-fit items-center gap-0.75">
        {sorted.slice(0, SHOWN_MAX).map(({ key, ...cell }) => (
          <DeviceCell key={key} {...cell} />
        ))}
      </span>
      <span className="text-small whitespace-nowrap text-ink-3">
        {free} of {cells.length} free
      </span>
    </span>
  )
}
