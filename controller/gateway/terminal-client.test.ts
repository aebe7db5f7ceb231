import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { LIMITS } from '@/domain/limits'
import { TerminalClient } from './terminal-client'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A socket whose other end never answers a ping. */
class SilentSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  isPaused = false
  pings = 0
  isEnded = false
  ping(): void {
    this.pings += 1
  }
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
  terminate(): void {
    this.isEnded = true
  }
}

it('ends a window that answers no ping, but not one that it does not read from', () => {
  const socket = new SilentSocket()
  const client = new TerminalClient(socket as unknown as WebSocket)
  const later = (pings: number) => vi.advanceTimersByTime(pings * LIMITS.pingSeconds * 1000)
  let goOn: () => void = () => undefined
  client.pauseUntil((then) => {
    goOn = then
  })
  later(20)
  expect(socket).toMatchObject({ pings: 20, isEnded: false }) // writing finds a lost one
  goOn()
  later(3)
  expect(socket.isEnded).toBe(false)
  later(1)
  expect(socket.isEnded).toBe(true)
  socket.emit('close', 1006)
})

it('X26: ends no window that says how far it has drawn while its pings wait behind the output', async () => {
  const socket = new SilentSocket()
  const client = new TerminalClient(socket as unknown as WebSocket)
  const greeted = client.hello()
  const hello = { type: 'hello', protocol: 1, ticket: 'x', mode: 'view', cols: 80, rows: 24 }
  const say = (message: object) => socket.emit('message', Buffer.from(JSON.stringify(message)), false)
  say(hello)
  await greeted
  for (let minute = 0; minute < 10; minute++) {
    vi.advanceTimersByTime(60_000)
    say({ type: 'ack', seq: minute })
  }
  expect(socket.isEnded).toBe(false)
  vi.advanceTimersByTime(80_000)
  expect(socket.isEnded).toBe(true)
  socket.emit('close', 1006)
})
