import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { HostWatch } from './host-watch'

const folder = mkdtempSync(join(tmpdir(), 'watch-'))
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

it('looks again at a host that closed its socket before it was gone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const path = join(folder, 'state.sock')
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.write('{}\n')
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  let looks = 0
  new HostWatch(() => {
    looks += 1
  }).watch('a', path)
  await expect.poll(() => looks).toBe(1) // its first word
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => looks).toBe(2) // its end, as it seems: it may still be in the table of processes
  vi.advanceTimersByTime(5000)
  expect(looks).toBeGreaterThan(2)
  server.close()
})
