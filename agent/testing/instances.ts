import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import type { HeldInstance } from '../state'
import { sampleSpec } from './sample-spec'

/** Ids that sort and read well in a failure. */
export const uuid = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

/** The n-th start of one workload. */
export const spec = (n: number, over: Partial<DesiredInstance> = {}) =>
  sampleSpec({ workloadId: uuid(1), placementId: uuid(100 + n), workloadGen: n, ...over })

/** An instance that the machine accepted and started. */
export const held = (s: DesiredInstance, over: Partial<HeldInstance> = {}): HeldInstance => ({
  spec: s,
  isStarted: true,
  refused: null,
  isRemoved: false,
  ...over,
})

/** What a driver shows of it. */
export const seen = (s: DesiredInstance, status: ObservedInstance['status']): ObservedInstance => ({
  workloadId: s.workloadId,
  placementId: s.placementId,
  workloadGen: s.workloadGen,
  status,
  code: 'ok',
  subject: null,
  progress: null,
  exitCode: null,
  hasWorkspace: true,
})
