import { expect, it } from 'vitest'
import type { InstanceUse } from '@/domain/machines'
import { GIB, NOW } from '@/testing/candidates'
import { viewOf } from '@/testing/workload-view'
import { placementOf, workloadOf } from '@/testing/workloads'
import { type Sample, seriesOf } from './use-series'

const sample = (seconds: number, use: Partial<InstanceUse> = {}): Sample => ({
  at: new Date(NOW.getTime() + seconds * 1000),
  use: { cpu: 0.5, memoryBytes: GIB, diskBytes: null, gpus: [], ...use },
})
const running = viewOf({ placement: placementOf(workloadOf(), { cpus: 2, memoryBytes: 4 * GIB, devices: ['g1', 'g2'] }) })

it('says nothing while nothing was measured', () => {
  expect(seriesOf([], running, undefined)).toEqual([])
})

it('measures CPU and memory by what is reserved', () => {
  expect(seriesOf([sample(0), sample(5, { cpu: 1.25, memoryBytes: 3 * GIB })], running, undefined)).toMatchObject([
    { id: 'cpu', now: '1.3', of: 'of 2 cores', share: 0.625, max: 2, values: [0.5, 1.25] },
    { id: 'memory', now: '3 GiB', of: 'of 4 GiB', share: 0.75, values: [GIB, 3 * GIB] },
  ])
})

it('shows more than what is reserved where a machine does not enforce it', () => {
  const [cpu] = seriesOf([sample(0, { cpu: 7 }), sample(5)], running, undefined)
  expect([cpu?.max, cpu?.share]).toEqual([7, 0.25])
})

it('breaks the line where nothing was measured, so that silence is not drawn as use', () => {
  const [cpu] = seriesOf([sample(0), sample(5), sample(125)], running, undefined)
  expect(cpu?.values).toEqual([0.5, 0.5, null, 0.5])
  expect(cpu?.seconds).toHaveLength(4)
})

it('puts GPUs first: their mean use, and their memory together', () => {
  const gpus = [
    { uuid: 'g1', use: 1, memoryBytes: 10 * GIB },
    { uuid: 'g2', use: 0.5, memoryBytes: 20 * GIB },
  ]
  expect(seriesOf([sample(0), sample(5, { gpus })], running, undefined).slice(0, 2)).toMatchObject([
    { id: 'gpu', label: '2 GPUs', now: '75', of: '%', values: [null, 0.75] },
    { id: 'gpu-memory', now: '30 GiB', of: 'in use', share: null, values: [null, 30 * GIB] },
  ])
})
