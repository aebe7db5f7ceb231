import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputCursor } from './output-cursor'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('OutputCursor', () => {
  it('hands out every byte once, whatever comes twice', () => {
    const all = Uint8Array.from({ length: 500 }, (_, i) => i % 256)
    const piece = fc.tuple(fc.nat(499), fc.integer({ min: 1, max: 60 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const cursor = new OutputCursor()
        cursor.begin(1)
        const got: number[] = []
        const take = (from: number, to: number) => got.push(...(cursor.take(from, all.subarray(from, to))?.bytes ?? []))
        take(0, 1)
        for (const [from, length] of pieces) if (from <= got.length) take(from, Math.min(500, from + length))
        take(got.length, 500)
        expect(got).toEqual([...all])
      }),
    )
  })

  it('says what is missing', () => {
    const cursor = new OutputCursor()
    cursor.begin(1)
    expect(cursor.take(10, bytes('ab'))).toEqual({ bytes: bytes('ab'), seq: 10, skipped: null })
    expect(cursor.take(20, bytes('c'))).toEqual({ bytes: bytes('c'), seq: 20, skipped: { from: 12, to: 20 } })
  })

  it('asks for a snapshot at first, and for the next byte later', () => {
    const cursor = new OutputCursor()
    expect(cursor.since).toBeNull()
    cursor.begin(3)
    cursor.reset(100)
    cursor.take(100, bytes('abc'))
    expect(cursor.since).toEqual({ workloadGen: 3, seq: 103 })
  })

  it('forgets its place when the workload runs anew', () => {
    const cursor = new OutputCursor()
    cursor.begin(3)
    cursor.reset(100)
    cursor.begin(4)
    expect(cursor.since).toBeNull()
    expect(cursor.take(0, bytes('a'))).toEqual({ bytes: bytes('a'), seq: 0, skipped: null })
  })

  it('acknowledges in steps, not for each write', () => {
    const cursor = new OutputCursor()
    cursor.begin(1)
    const acks = Array.from({ length: 1000 }, (_, i) => cursor.drawn((i + 1) * 1024)).filter((ack) => ack !== null)
    expect(acks).toEqual([262_144, 524_288, 786_432])
  })
})
