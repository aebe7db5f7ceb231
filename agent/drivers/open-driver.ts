import type { OfferedDriver } from '../agent'
import type { DriverKind } from '../config'
import type { DriverDeps } from './deps'
import { openProcessDriver } from './process/process-driver'
import { createSimDriver } from './sim/sim-driver'
import { simOffers } from './sim/sim-offers'

/** Opens a driver of that kind. */
export async function openDriver(kind: DriverKind, deps: DriverDeps): Promise<OfferedDriver> {
  return OPENERS[kind](deps)
}

const OPENERS: Record<DriverKind, (deps: DriverDeps) => Promise<OfferedDriver>> = {
  sim: async (deps) => ({ driver: createSimDriver(deps), offers: simOffers }),
  process: async (deps) => openProcessDriver(deps),
}
