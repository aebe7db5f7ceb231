import { Bytes, bytesText } from '@/components/ui/bytes'
import { DeviceCell } from '@/components/ui/device-cell'
import { Meter } from '@/components/ui/meter'
import { Fact, FactList, Panel, PanelHead } from '@/components/ui/panel'
import type { Device, Inventory } from '@/domain/machines'
import type { MachineView } from '@/domain/views'
import { deviceLook } from './machine-look'

/** What a machine is made of, as it measures itself. */
export function HardwarePanel({ machine, inventory }: { machine: MachineView; inventory: Inventory }) {
  return (
    <Panel aria-label="Hardware">
      <PanelHead title="Hardware" />
      <FactList>
        {inventory.devices.length === 0 ? (
          <Fact label="GPU">
            <span className="text-ink-3">None found</span>
          </Fact>
        ) : (
          inventory.devices.map((device) => <DeviceFact key={device.uuid} machine={machine} device={device} />)
        )}
        <Fact label="Processor" meta={processorText(machine, inventory)}>
          <span className="min-w-0 truncate" title={inventory.cpuModel}>
            {inventory.cpuModel}
          </span>
        </Fact>
        <SizeFact label="Memory" total={inventory.memoryBytes} used={machine.use?.memoryBytes ?? null} />
        <SizeFact
          label="Disk"
          total={inventory.diskBytes}
          used={inventory.diskBytes - (machine.use?.diskFreeBytes ?? inventory.diskFreeBytes)}
        />
        <Fact label="System" meta={inventory.arch}>
          <span className="min-w-0 truncate">{inventory.os}</span>
        </Fact>
      </FactList>
    </Panel>
  )
}

function processorText(machine: MachineView, { cpus }: Inventory): string {
  const count = `${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'}`
  return machine.use && machine.isConnected ? `${count}, ${Math.round(machine.use.cpu * 100)} % used` : count
}

function DeviceFact({ machine, device }: { machine: MachineView; device: Device }) {
  return (
    <Fact label={`GPU ${device.index}`} meta={`${bytesText(device.memoryBytes)}, ${device.class ?? 'no class'}`}>
      <DeviceCell {...deviceLook(machine, device)} />
      <span className="min-w-0 truncate">{device.name}</span>
    </Fact>
  )
}

/** A size with how much of it is free; without a measure only the size. */
function SizeFact({ label, total, used }: { label: string; total: number; used: number | null }) {
  if (used === null) return <Fact label={label}>{bytesText(total)}</Fact>
  return (
    <Fact label={label} meta={`of ${bytesText(total)}`}>
      <Meter value={used / total} label={`${label} in use`} className="w-20 shrink-0 max-sm:w-12" />
      <span className="whitespace-nowrap tabular-nums">
        <Bytes value={total - used} /> free
      </span>
    </Fact>
  )
}
