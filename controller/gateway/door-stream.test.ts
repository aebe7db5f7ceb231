import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDoor } from './door-stream'

const INSTANCE = { workloadId: 'w', placementId: 'p', workloadGen: 1 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('never cuts a stream that was opened in time', async () => {
  const stream = new PassThrough()
  const connect = async (_i: unknown, _door: unknown, signal: AbortSignal) => {
    signal.addEventListener('abort', () => stream.destroy())
    return stream
  }
  expect(await openDoor({ connect }, INSTANCE, 'main')).toBe(stream)
  vi.advanceTimersByTime(60_000)
  expect(stream.destroyed).toBe(false)
})

it('X24: gives up on a door that does not open within 5 s', async () => {
  const connect = (_i: unknown, _door: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const opening = expect(openDoor({ connect }, INSTANCE, 'main')).rejects.toThrow('aborted')
  vi.advanceTimersByTime(5000)
  await opening
})
