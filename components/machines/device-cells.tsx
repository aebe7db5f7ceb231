import { DeviceCell } from '@/components/ui/device-cell'
import type { MachineView } from '@/domain/views'
import { deviceLook } from './machine-look'

type Props = { machine: MachineView; size?: 'sm' | 'lg'; holders?: ReadonlyMap<string, string> }

/** The GPUs of a machine, one cell each, by index. `holders`: names of workloads by the device that they hold. */
export function DeviceCells({ machine, size = 'sm', holders }: Props) {
  const devices = machine.inventory?.devices ?? []
  if (devices.length === 0) return null
  return (
    <span className={size === 'sm' ? 'flex w-fit flex-wrap items-center gap-0.75' : 'flex w-fit flex-wrap items-center gap-1'}>
      {devices.map((device) => (
        <DeviceCell key={device.uuid} size={size} {...deviceLook(machine, device, holders?.get(device.uuid))} />
      ))}
    </span>
  )
}
