import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SegmentLog } from './segment-log'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const readAll = (log: SegmentLog, from: number, max = 7) => {
  const parts: Buffer[] = []
  let at = log.available(from)
  while (at < log.end) {
    const bytes = log.read(at, max)
    if (bytes.byteLength === 0) throw new Error(`nothing at ${at}`)
    parts.push(bytes)
    at += bytes.byteLength
  }
  return Buffer.concat(parts).toString('latin1')
}

describe('the log of a terminal', () => {
  it('gives back every byte from any offset, across segments and memory', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii', maxLength: 40 }), { maxLength: 30 }), fc.nat(9), (writes, cut) => {
        const own = mkdtempSync(join(dir, 'run-'))
        const log = new SegmentLog(own, { segmentBytes: 16, bytesMax: 1 << 20, tailBytes: 24 })
        for (const text of writes) log.append(Buffer.from(text, 'latin1'))
        const all = writes.join('')
        const from = Math.floor((all.length * cut) / 9)
        expect(log.end).toBe(all.length)
        expect(readAll(log, from)).toBe(all.slice(from))
        log.close()
      }),
      { numRuns: 60 },
    )
  })

  it('L7: drops the oldest segments above its cap and says from where it can be read', () => {
    const log = new SegmentLog(dir, { segmentBytes: 10, bytesMax: 40, tailBytes: 5 })
    for (let i = 0; i < 20; i++) log.append(Buffer.from('0123456789'))
    expect(log.end).toBe(200)
    expect(log.available(0)).toBe(160)
    expect(readAll(log, 0)).toBe('0123456789'.repeat(4))
    expect(readdirSync(dir).filter((name) => name.endsWith('.seg'))).toHaveLength(4)
    log.close()
  })

  it('is read again by a new process, and only by its owner', () => {
    const first = new SegmentLog(dir, { segmentBytes: 8, bytesMax: 1000, tailBytes: 4 })
    first.append(Buffer.from('hello '))
    first.append(Buffer.from('world, again'))
    first.close()
    const second = new SegmentLog(dir, { segmentBytes: 8, bytesMax: 1000, tailBytes: 4 })
    expect(readAll(second, 0)).toBe('hello world, again')
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
    second.append(Buffer.from('!'))
    expect(readAll(second, 17)).toBe('n!')
    second.close()
  })

  it('goes on with a hole when the disk refuses to take it', () => {
    const log = new SegmentLog(join(dir, 'a'), { segmentBytes: 4, bytesMax: 1000, tailBytes: 4 })
    log.append(Buffer.from('abcd'))
    rmSync(join(dir, 'a'), { recursive: true })
    log.append(Buffer.from('efgh'))
    expect(log.end).toBe(8)
    expect(log.available(4)).toBe(4)
    expect(log.read(4, 10).toString()).toBe('efgh')
    log.append(Buffer.from('ijkl'))
    expect(log.available(5)).toBe(8)
    log.close()
  })
})
