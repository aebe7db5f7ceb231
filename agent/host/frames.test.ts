import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOST_FRAME, HOST_FRAME_BYTES_MAX } from '@/protocol/host'
import { dataHeader, FrameDecoder, jsonFrame } from './frames'

describe('frames of the terminal door', () => {
  it('come out as they went in, however the stream is cut', () => {
    const whole = Buffer.concat([
      jsonFrame({ type: 'bound', controllerGen: 7 }),
      dataHeader(HOST_FRAME.output, 2 ** 40, 3),
      Buffer.from('abc'),
      jsonFrame({ type: 'exit', code: 0 }),
    ])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (cuts) => {
        const decoder = new FrameDecoder()
        const frames = []
        for (let at = 0, i = 0; at < whole.byteLength; i++) {
          const size = cuts[i % cuts.length] ?? 1
          frames.push(...decoder.push(whole.subarray(at, at + size)))
          at += size
        }
        expect(frames.map((f) => f.type)).toEqual([0, 1, 0])
        expect(frames[1]?.payload.readBigUInt64BE(0)).toBe(2n ** 40n)
        expect(frames[1]?.payload.subarray(8).toString()).toBe('abc')
      }),
    )
  })

  it('refuse a length above the limit and read nothing after it', () => {
    const decoder = new FrameDecoder()
    const head = Buffer.alloc(5)
    head.writeUInt32BE(HOST_FRAME_BYTES_MAX + 1, 1)
    expect(decoder.push(head)).toEqual([])
    expect(decoder.tooLarge).toBe(true)
    expect(decoder.push(jsonFrame({ type: 'bound', controllerGen: 1 }))).toEqual([])
  })
})
