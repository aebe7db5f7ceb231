import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StdinBatch } from './stdin-batch'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('StdinBatch', () => {
  const make = () => {
    const sent: string[] = []
    const batch = new StdinBatch((bytes) => sent.push(new TextDecoder().decode(bytes)))
    return { sent, type: (text: string) => batch.add(new TextEncoder().encode(text)), batch }
  }

  it('sends a single key at once', () => {
    const { sent, type } = make()
    type('a')
    expect(sent).toEqual(['a'])
    vi.advanceTimersByTime(16)
    type('b')
    expect(sent).toEqual(['a', 'b'])
  })

  it('makes 4,000 events a second at most one frame per 16 ms, and loses none', () => {
    const { sent, type } = make()
    const all = Array.from({ length: 4000 }, (_, i) => String(i % 10))
    for (const [i, key] of all.entries()) {
      type(key)
      if (i % 4 === 3) vi.advanceTimersByTime(1)
    }
    vi.advanceTimersByTime(16)
    expect(sent.length).toBeLessThanOrEqual(64)
    expect(sent.join('')).toBe(all.join(''))
  })

  it('cuts a large paste into frames that the gateway takes', () => {
    const { sent, type } = make()
    type('x'.repeat(150_000))
    expect(sent.map((piece) => piece.length)).toEqual([65_536, 65_536, 18_928])
  })

  it('forgets what was not sent', () => {
    const { sent, type, batch } = make()
    type('a')
    type('b')
    batch.discard()
    vi.advanceTimersByTime(100)
    expect(sent).toEqual(['a'])
  })
})
