import { describe, expect, it } from 'vitest'
import { bytes, mountOf } from './new'

describe('what `new` understands', () => {
  it.each([
    ['512M', 2 ** 29],
    ['4G', 2 ** 32],
    ['4GiB', 2 ** 32],
    ['1.5g', 1.5 * 2 ** 30],
    ['2T', 2 ** 41],
    ['1048576', 2 ** 20],
  ])('--memory %s is %d bytes', (text, expected) => expect(bytes('--memory', text)).toBe(expected))

  it.each(['', 'G', '4 apples', '-1G', '4GG'])('--memory %j is refused', (text) => {
    expect(() => bytes('--memory', text)).toThrow('--memory: a size such as 512M or 4G')
  })

  it.each([
    ['/data', { path: '/data', mode: 'ro' }],
    ['/data:rw', { path: '/data', mode: 'rw' }],
    ['/data:ro', { path: '/data', mode: 'ro' }],
    ['/a:b', { path: '/a:b', mode: 'ro' }],
  ])('--mount %s', (text, expected) => expect(mountOf(text)).toEqual(expected))
})
