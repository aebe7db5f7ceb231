import { describe, expect, it } from 'vitest'
import { isDeeperThan, readBounded } from './bounded-body'

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://berth.localhost:7480/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

describe('readBounded', () => {
  it('reads up to the bound, and characters whole across chunks', async () => {
    expect(await readBounded(post('é'.repeat(8)), 16)).toBe('é'.repeat(8))
    expect(await readBounded(new Request('http://berth.localhost:7480/'), 16)).toBe('')
  })

  it('refuses one byte more, also when no length was announced', async () => {
    expect(await readBounded(post('x'.repeat(17)), 16)).toBeNull()
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(10))
      },
    })
    expect(await readBounded(post(endless), 16)).toBeNull()
    expect(pulled).toBeLessThan(10)
  })

  it('refuses by the announced length without reading', async () => {
    expect(await readBounded(post('x', { 'content-length': '17' }), 16)).toBeNull()
  })
})

describe('isDeeperThan', () => {
  it.each([
    ['{"a":[1]}', 2, false],
    ['{"a":[[1]]}', 2, true],
    ['{"a":"[[[[{{{{"}', 1, false],
    ['{"a":"\\"[[[["}', 1, false],
    ['"[[["', 0, false],
    ['['.repeat(2000), 20, true],
    ['[]'.repeat(2000), 1, false],
  ])('%j at %i: %s', (json, max, expected) => {
    expect(isDeeperThan(json, max)).toBe(expected)
  })
})
