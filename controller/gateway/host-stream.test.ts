import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOST_FRAME } from '@/protocol/host'
import { HostStream } from './host-stream'

/** A stream whose far end a test writes by hand. */
function pair() {
  const written: Buffer[] = []
  const stream = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      written.push(bytes)
      done()
    },
  })
  const host = new HostStream(stream)
  const seen: unknown[] = []
  host.on('message', (message) => seen.push(message))
  host.on('output', (bytes) => seen.push(['output', bytes.toString('hex', 1)]))
  host.on('snapshot', (bytes) => seen.push(['snapshot', bytes.toString('hex', 1)]))
  host.on('close', (error) => seen.push(['close', error?.message ?? null]))
  return { stream, host, seen, written: () => Buffer.concat(written) }
}

function frame(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt8(type)
  header.writeUInt32BE(payload.byteLength, 1)
  return Buffer.concat([header, payload])
}
const json = (value: unknown) => frame(HOST_FRAME.json, Buffer.from(JSON.stringify(value)))
const data = (type: number, seq: number, text: string) => {
  const head = Buffer.alloc(8)
  head.writeBigUInt64BE(BigInt(seq))
  return frame(type, Buffer.concat([head, Buffer.from(text)]))
}

describe('HostStream', () => {
  it('reads the same frames however the bytes are cut', async () => {
    const bytes = Buffer.concat([
      json({ type: 'attached', workloadGen: 1, controllerGen: 0, endSeq: 5, cols: 80, rows: 24 }),
      json({ type: 'snapshot', seq: 5, cols: 80, rows: 24 }),
      data(HOST_FRAME.snapshot, 5, 'screen'),
      data(HOST_FRAME.output, 5, ''),
      data(HOST_FRAME.output, 5, 'x'.repeat(3000)),
      json({ type: 'exit', code: null }),
    ])
    const whole = await read([bytes])
    expect(whole.length).toBe(7)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.byteLength }), { maxLength: 40 }), async (cuts) => {
        const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.byteLength]
        const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end))
        expect(await read(pieces)).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['an unknown type', frame(9, Buffer.alloc(8))],
    ['stdin from a session-host', frame(HOST_FRAME.stdin, Buffer.alloc(8))],
    ['no JSON', frame(HOST_FRAME.json, Buffer.from('{'))],
    ['an unknown message', json({ type: 'hello' })],
    ['a field too many', json({ type: 'bound', controllerGen: 1, more: true })],
    ['output without a place', frame(HOST_FRAME.output, Buffer.alloc(7))],
    ['a frame that is too large', Buffer.from([1, 0xff, 0xff, 0xff, 0xff])],
  ])('ends the stream on %s and reads nothing after it', async (_what, bad) => {
    const seen = await read([Buffer.concat([bad, json({ type: 'bound', controllerGen: 1 })])])
    expect(seen).toEqual([['close', expect.any(String)]])
  })

  it('stamps typed bytes with the generation that it is given', () => {
    const { host, written } = pair()
    host.type(7, Buffer.from('ls'))
    expect(written().toString('hex')).toBe(`0300000006${'00000007'}${Buffer.from('ls').toString('hex')}`)
  })
})

async function read(pieces: Buffer[]): Promise<unknown[]> {
  const { stream, seen } = pair()
  for (const piece of pieces) stream.push(piece)
  stream.push(null)
  await new Promise((resolve) => stream.once('close', resolve))
  return seen
}
