import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '@/kit/clock'
import { Authority, authorityCertificate } from './authority'
import { listenForAgents } from './listener'
import { SyncPump } from './sync-pump'
import { log } from './testing/hub-world'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-listen-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function listen(socket: string) {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const authority = new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
  return listenForAgents(socket, { authority, log, onTunnel: (s) => s.destroy(), onCall: (s) => s.destroy() })
}

it('X62: replaces the socket of a controller that was killed', async () => {
  const socket = path.join(folder, 'a.sock')
  const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.stdout.write('up'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await expect(listen(socket)).rejects.toThrow('served by another controller')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(existsSync(socket)).toBe(true)
  await (await listen(socket)).close()
  expect(existsSync(socket)).toBe(false)
})

it('does not take away a file that is no socket', async () => {
  const file = path.join(folder, 'a.sock')
  writeFileSync(file, 'precious')
  await expect(listen(file)).rejects.toThrow()
  expect(existsSync(file)).toBe(true)
})

it('merges requests for a sync: one that comes while it runs gets a run of its own after it', async () => {
  const runs: (() => void)[] = []
  const pump = new SyncPump(() => new Promise((resolve) => runs.push(resolve)))
  const first = pump.request()
  const others = [pump.request(), pump.request(), pump.request()]
  expect(runs).toHaveLength(1)
  runs[0]?.()
  await first
  expect(runs).toHaveLength(2)
  runs[1]?.()
  await Promise.all(others)
  expect(runs).toHaveLength(2)
})

it('gives the failure of a run to those who wait for it, and goes on', async () => {
  let tries = 0
  const pump = new SyncPump(async () => {
    tries += 1
    if (tries === 1) throw new Error('once')
  })
  await expect(pump.request()).rejects.toThrow('once')
  await pump.request()
})
