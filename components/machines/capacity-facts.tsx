import { bytesText } from '@/components/ui/bytes'
import { Meter } from '@/components/ui/meter'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import type { Inventory } from '@/domain/machines'
import type { MachineView } from '@/domain/views'

/** What is reserved here of what there is: what placement counts with. */
export function CapacityFacts({ machine, inventory }: { machine: MachineView; inventory: Inventory }) {
  const { used } = machine
  const rows = [
    { label: 'GPUs', used: used.devices.length, total: inventory.devices.length, text: String },
    { label: 'CPUs', used: used.cpus, total: inventory.cpus, text: String },
    { label: 'Memory', used: used.memoryBytes, total: inventory.memoryBytes, text: bytesText },
    { label: 'Disk', used: used.diskBytes, total: inventory.diskBytes, text: bytesText },
  ]
  return (
    <Panel aria-label="Reserved">
      <PanelHead title="Reserved" meta="by workloads, whether they use it or not" />
      <FactList>
        {rows
          .filter((row) => row.total > 0)
          .map((row) => (
            <Fact key={row.label} label={row.label} meta={`of ${row.text(row.total)}`}>
              <Meter
                value={row.used / row.total}
                label={`${row.label} reserved`}
                tone="accent"
                className="w-20 shrink-0 max-sm:w-12"
              />
              <span className="whitespace-nowrap tabular-nums">{row.text(row.used)}</span>
            </Fact>
          ))}
      </FactList>
    </Panel>
  )
}
