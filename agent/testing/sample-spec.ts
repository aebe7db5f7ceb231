import { v7 as uuidv7 } from 'uuid'
import type { DesiredInstance } from '@/protocol/sync'

/** A spec of fresh ids; drivers' tests build theirs on it. */
export function sampleSpec(over: Partial<DesiredInstance> = {}): DesiredInstance {
  return {
    workloadId: uuidv7(),
    placementId: uuidv7(),
    workloadGen: 1,
    tenantId: uuidv7(),
    ownerId: uuidv7(),
    kind: 'session',
    runtime: 'shell',
    driver: 'sim',
    want: 'run',
    cpus: 1,
    memoryBytes: 256 * 2 ** 20,
    diskBytes: 2 ** 30,
    devices: [],
    command: null,
    server: [],
    requirements: [],
    mounts: [],
    python: null,
    mountRoots: [],
    egress: { open: false, allow: [] },
    needsWorkspace: false,
    ...over,
  }
}
