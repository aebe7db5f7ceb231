import { expect, it } from 'vitest'
import type { InstanceUse } from '@/domain/machines'
import { GIB } from '@/testing/candidates'
import { viewOf } from '@/testing/workload-view'
import { placementOf, workloadOf } from '@/testing/workloads'
import { latestUse, measuredIds } from './latest-use'

const use = (patch: Partial<InstanceUse> = {}): InstanceUse => ({
  cpu: 0.5,
  memoryBytes: GIB,
  diskBytes: null,
  gpus: [],
  ...patch,
})
const placement = placementOf(workloadOf(), { cpus: 2, memoryBytes: 4 * GIB })
const running = viewOf({ placement })
const gpus = [
  { uuid: 'g1', use: 1, memoryBytes: GIB },
  { uuid: 'g2', use: 0.5, memoryBytes: GIB },
]

it('says the share of the CPU, also where more is used than is reserved; of GPUs before all else, together', () => {
  expect(latestUse(running, use())).toEqual({ share: 0.25, percent: '25 %', all: 'CPU 0.5 of 2 cores; Memory 1 GiB of 4 GiB' })
  expect(latestUse(running, use({ cpu: 3 }))?.percent).toBe('150 %')
  const two = latestUse(viewOf({ placement: { ...placement, devices: ['g1', 'g2'] } }), use({ gpus }))
  expect(two).toMatchObject({ percent: '75 %', all: expect.stringMatching(/^2 GPUs.* 75 %; GPU memory 2 GiB in use; CPU/) })
})

it('nothing is said of what holds nothing, and only what is up is asked for, always in the same order', () => {
  expect(latestUse(viewOf(), use())).toBeNull()
  const rows = ['c', 'a', 'b'].map((id) => viewOf({ id, placement }))
  const parked = viewOf({ id: 'p', state: 'parked' })
  expect(measuredIds([parked, ...rows], 2)).toEqual(['a', 'c'])
})
