import type { DriverOffer } from '@/domain/machines'
import type { DesiredInstance, ObservationCode } from '@/protocol/sync'

/** What the machine can give now. */
export type Means = { drivers: readonly DriverOffer[]; freeDevices: readonly string[]; cpus: number; memoryBytes: number }

/**
 * The agent's own look at a start, whatever the controller decided: is the driver's isolation there, are the devices
 * there and free, is it within the machine at all? The code of what is missing, or null. Pure.
 */
export function checkStart(spec: DesiredInstance, means: Means): ObservationCode | null {
  if (!means.drivers.some((offer) => offer.row === spec.driver && offer.works)) return 'driver_missing'
  if (!spec.devices.every((uuid) => means.freeDevices.includes(uuid))) return 'no_capacity'
  if (new Set(spec.devices).size !== spec.devices.length) return 'no_capacity'
  if (spec.cpus > means.cpus || spec.memoryBytes > means.memoryBytes) return 'no_capacity'
  return null
}
