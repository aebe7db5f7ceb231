import { describe, expect, it } from 'vitest'
import { unlisted, withGpus } from './observations'
import { held, seen, spec } from './testing/instances'

describe('what runs here and the controller does not name', () => {
  it('is told as it was ordered, and only what may run', () => {
    const [named, orphan, over, gone] = [spec(1), spec(2), spec(3), spec(4)]
    const instances = [seen(named, 'running'), seen(orphan, 'running'), seen(over, 'stopped')]
    const known = [named, orphan, over, gone].map((s) => held(s))
    expect(unlisted(known, { desired: [named], instances })).toEqual([orphan])
    expect(unlisted(known, { desired: [], instances })).toEqual([named, orphan])
  })
})

describe('an instance with GPUs', () => {
  const device = { index: 0, name: 'n', class: null, memoryBytes: 8, memoryUsedBytes: 5, state: 'busy' as const }
  const use = { cpu: 0, memoryBytes: 1, diskBytes: null, gpus: [] }

  it('has the use of exactly its own, and is busy while one computes', () => {
    const own = spec(1, { devices: ['a'] })
    const idle = { ...seen(own, 'running'), use, isBusy: false }
    const at = (share: number) => ({
      held: [held(own)],
      devices: [
        { ...device, uuid: 'a', use: share },
        { ...device, uuid: 'b', use: 1 },
      ],
    })
    expect(withGpus([idle], at(0.9))).toEqual([
      { ...idle, isBusy: true, use: { ...use, gpus: [{ uuid: 'a', use: 0.9, memoryBytes: 5 }] } },
    ])
    expect(withGpus([idle], at(0))[0]?.isBusy).toBe(false)
  })
})
