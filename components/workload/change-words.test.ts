import { describe, expect, it } from 'vitest'
import { applyChange } from '@/domain/suggestions'
import { type WorkloadSpec, workloadSpec } from '@/domain/workloads'
import { changeLink } from './change-link'
import { changeLines } from './change-words'

const spec: WorkloadSpec = {
  runtime: 'jupyterlab',
  cpus: 16,
  memoryBytes: 64 * 2 ** 30,
  diskBytes: 200 * 2 ** 30,
  gpu: { class: 'l40s-48gb', count: 2, allowFallbacks: false },
  machineId: null,
  command: null,
  requirements: ['numpy>=2,<3'],
  mounts: [],
  python: null,
}

describe('a suggested change', () => {
  it('names only what differs', () => {
    expect(changeLines(spec, applyChange(spec, { gpuCount: 1 }))).toEqual([
      { what: 'GPU', from: '2 × l40s-48gb', to: '1 × l40s-48gb' },
    ])
    expect(changeLines(spec, applyChange(spec, { dropGpu: true, cpus: 4 })).map((line) => line.to)).toEqual(['none', '4'])
    expect(changeLines(spec, spec)).toEqual([])
  })

  it('is a link that carries the whole request, as the API takes it', () => {
    const url = new URL(
      changeLink({ kind: 'notebook', name: 'segment-train', spec }, { gpuClass: 'h100-80gb' }),
      'http://berth.test',
    )
    expect(url.pathname).toBe('/new')
    expect(url.searchParams.get('kind')).toBe('notebook')
    const carried = workloadSpec.parse(JSON.parse(url.searchParams.get('spec') ?? ''))
    expect(carried).toEqual({ ...spec, gpu: { class: 'h100-80gb', count: 2, allowFallbacks: false } })
  })
})
