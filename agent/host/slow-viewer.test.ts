import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { TerminalClient } from '../testing/terminal-client'
import { SegmentLog } from './segment-log'
import { TerminalServer } from './terminal-server'

const dir = mkdtempSync(join(tmpdir(), 'slow-'))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('L3 X73: a viewer that stands still delays nobody, and is told what has rotated away meanwhile', async () => {
  const log = new SegmentLog(join(dir, 'record'), { segmentBytes: 65_536, bytesMax: 262_144, tailBytes: 65_536 })
  const server = new TerminalServer({ log, workloadGen: 1, cols: 80, rows: 24 })
  const path = join(dir, 'terminal.sock')
  await server.listen(path)
  const slow = await new TerminalClient(path).attach(0).until({ message: 'attached' })
  const fast = await new TerminalClient(path).attach(0).until({ message: 'attached' })
  slow.pause()
  for (let i = 1; i <= 64; i++) {
    server.output(Buffer.alloc(65_536, String.fromCharCode(97 + (i % 26))))
    await fast.until({ seq: i * 65_536 })
  }
  expect(fast.messages.some(({ type }) => type === 'gap')).toBe(false)
  slow.resume()
  await slow.until({ seq: log.end })
  const gaps = slow.messages.filter((message) => message.type === 'gap')
  const skipped = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)
  expect(skipped).toBeGreaterThan(2_000_000)
  expect(slow.output.byteLength + skipped).toBe(log.end) // every byte was either given or told
  for (const client of [slow, fast]) client.close()
  server.close()
})
