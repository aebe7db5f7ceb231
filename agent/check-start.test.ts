import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRIVER_ROWS } from '@/domain/drivers'
import { desiredInstance } from '@/protocol/sync'
import { checkStart, type Means } from './check-start'
import { sampleSpec } from './testing/sample-spec'

const offer = { detail: null, fix: null, canPause: true }
const means: Means = {
  drivers: [
    { ...offer, row: 'process-sandboxed', works: true },
    { ...offer, row: 'process-plain', works: false },
  ],
  freeDevices: ['gpu-a', 'gpu-b'],
  cpus: 8,
  memoryBytes: 2 ** 35,
}
const good = sampleSpec({ driver: 'process-sandboxed', devices: ['gpu-a'] })

/** What a controller that somebody took over may ask for. */
const BAD = fc.oneof(
  fc.constantFrom(...DRIVER_ROWS.filter((row) => row !== 'process-sandboxed')).map((driver) => ({ driver })),
  fc.constantFrom('gpu-c', 'all', '0', 'gpu-a ', 'GPU-A', '/dev/sda').map((uuid) => ({ devices: [uuid] })),
  fc.constantFrom(['gpu-a', 'gpu-a'], ['gpu-b', 'gpu-a', 'gpu-b']).map((devices) => ({ devices })),
  fc.integer({ min: 9, max: 2 ** 31 }).map((cpus) => ({ cpus })),
  fc.integer({ min: 2 ** 35 + 1, max: Number.MAX_SAFE_INTEGER }).map((memoryBytes) => ({ memoryBytes })),
)

describe('a start', () => {
  it('M9, N9: is refused with a code for each of 300 orders that this machine should not follow', () => {
    expect(checkStart(good, means)).toBeNull()
    fc.assert(
      fc.property(fc.array(BAD, { minLength: 1, maxLength: 3 }), (changes) => {
        const code = checkStart(Object.assign({}, good, ...changes), means)
        expect(['driver_missing', 'no_capacity']).toContain(code)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['more rights', { privileged: true }],
    ['the namespaces of the machine', { network: 'host', pid: 'host' }],
    ['devices by path', { deviceFiles: ['/dev/sda'] }],
    ['a bind of its own', { binds: [{ source: '/', target: '/host' }] }],
    ['a way into a folder', { mounts: [{ path: '/home/../etc', mode: 'ro' }] }],
    ['a folder at a place of its own', { mounts: [{ path: '/home/me', mode: 'ro', target: '/etc' }] }],
    ['a driver that no table has', { driver: 'privileged' }],
    ['a variable', { environment: { LD_PRELOAD: '/tmp/x.so' } }],
    ['another user', { uid: 0 }],
  ])('M9: has no words for %s: such an order is not understood', (_what, more) => {
    expect(desiredInstance.safeParse(good).success).toBe(true)
    expect(desiredInstance.safeParse({ ...good, ...more }).success).toBe(false)
  })
})
