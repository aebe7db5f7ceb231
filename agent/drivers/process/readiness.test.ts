import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { whenReady } from './readiness'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const never = new AbortController().signal
let folder = ''
let server: Server | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ready-'))
})
afterEach(() => {
  server?.close()
  server = null
  rmSync(folder, { recursive: true, force: true })
})

const door = () => join(folder, 'main.sock')
function serve(answer: (socket: Socket) => void): void {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  }).listen(door())
}
const wait = (timeoutMs: number, isUp = () => true) => whenReady(door(), { timeoutMs, signal: never, isUp })

it.each<[string, ((socket: Socket) => void) | null]>([
  ['is not there', null],
  ['hangs up', (socket) => socket.destroy()],
  ['answers with an error', (socket) => socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n')],
])('X65: a server that %s is not waited for longer than its time', async (_what, answer) => {
  if (answer) serve(answer)
  expect(await wait(300)).toBe(false)
})

it('X65: one that answers byte by byte without an end is asked again, and not waited for longer than its time', async () => {
  let asked = 0
  serve((socket) => {
    asked += 1
    drip(socket)
  })
  expect(await Promise.all([wait(100), wait(60_000, () => asked < 3)])).toEqual([false, false])
  expect(asked).toBe(3)
})

it('X65: one that answers late is ready then; one that ended is not waited for', async () => {
  let asked = 0
  serve((socket) => (++asked < 3 ? socket.destroy() : socket.end(OK)))
  expect(await wait(60_000)).toBe(true)
  expect(await wait(60_000, () => false)).toBe(false)
})

/** A head that goes on as long as its reader. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nx: ')
  const timer = setInterval(() => socket.write('a'), 50)
  socket.once('close', () => clearInterval(timer))
}
