import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TerminalClient } from '../testing/terminal-client'
import { SegmentLog } from './segment-log'
import { TerminalServer } from './terminal-server'

const dir = mkdtempSync(join(tmpdir(), 'sending-'))
// Time stands still: what is sent at all is sent without waiting.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  rmSync(dir, { recursive: true, force: true })
})

it('what floods is gathered; what a key brings about is not, and neither is the first byte', async () => {
  const log = new SegmentLog(join(dir, 'record'), { segmentBytes: 2 ** 20, bytesMax: 2 ** 22, tailBytes: 2 ** 20 })
  const server = new TerminalServer({ log, workloadGen: 1, cols: 80, rows: 24 })
  await server.listen(join(dir, 'terminal.sock'))
  const client = await new TerminalClient(join(dir, 'terminal.sock')).attach(0).until({ message: 'attached' })
  const beside = new TerminalClient(join(dir, 'terminal.sock'))
  const flood = 'x'.repeat(10_000)
  vi.advanceTimersByTime(1000)
  server.output(Buffer.from(flood))
  await client.until({ seq: 10_000 })
  server.output(Buffer.from(flood))
  await beside.attach(20_000).until({ message: 'attached' }) // whatever was on its way has come
  expect(client.next).toBe(10_000)
  server.type(Buffer.from('\x03'))
  server.output(Buffer.from('^C'))
  await client.until({ seq: 20_002 })
  server.output(Buffer.from('$ '))
  await client.until({ seq: 20_004 })
  vi.advanceTimersByTime(21)
  server.output(Buffer.from(flood))
  await client.until({ seq: 30_004 })
  server.output(Buffer.from(flood))
  vi.advanceTimersByTime(12)
  await client.until({ seq: 40_004 })
  for (const each of [client, beside]) each.close()
  server.close()
})
