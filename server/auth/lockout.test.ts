import { describe, expect, it } from 'vitest'
import { signInDelaySeconds } from './lockout'

describe('signInDelaySeconds', () => {
  it('lets five tries go free, then doubles from 1 s to 15 minutes and stays there', () => {
    const delays = Array.from({ length: 20 }, (_, failures) => signInDelaySeconds(failures))
    expect(delays).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900])
    expect(signInDelaySeconds(100_000)).toBe(900)
  })
})
