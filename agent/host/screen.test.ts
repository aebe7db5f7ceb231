import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as headless from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { Screen } from './screen'
import { SegmentLog } from './segment-log'

const { Terminal } = ('default' in headless ? headless.default : headless) as typeof headless

/** Wide text, colours, cursor moves, titles: cut anywhere it must come out the same. */
const PROGRAM = Buffer.from(
  [
    ...Array.from(
      { length: 60 },
      (_, i) => `\x1b[3${i % 8}m line ${i} 漢字 e\u0301 \x1b[${(i % 20) + 1};${(i % 60) + 1}H\x1b]0;title ${i}\x07\r\n`,
    ),
    '\x1b[?2004h\x1b[5;5Hend',
  ].join(''),
)

function screenOf(log: Buffer[]) {
  const recent = (from: number, max: number) => Buffer.concat(log).subarray(from, from + max)
  return new Screen({ cols: 80, rows: 24 }, { startSeq: 0, recent })
}

/** Offsets of the bytes given so far, by screen. */
const ends = new WeakMap<Screen, number>()
const feed = (screen: Screen, bytes: Buffer) => {
  const end = (ends.get(screen) ?? 0) + bytes.byteLength
  ends.set(screen, end)
  return new Promise<void>((resolve) => screen.write(bytes, end, resolve))
}

async function rowsAfter(parts: Buffer[]): Promise<string[]> {
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true, scrollback: 2000 })
  for (const part of parts) await new Promise<void>((resolve) => terminal.write(part, resolve))
  const { active } = terminal.buffer
  return [
    ...Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? ''),
    JSON.stringify({ modes: terminal.modes, at: [active.cursorX, active.cursorY], type: active.type }),
  ]
}

describe('a snapshot of the screen', () => {
  it('and the rest of the log draw the same screen, wherever the log was cut', async () => {
    const expected = await rowsAfter([PROGRAM])
    for (let cut = 11; cut < PROGRAM.byteLength; cut += 97) {
      const log: Buffer[] = []
      const screen = screenOf(log)
      for (const part of [PROGRAM.subarray(0, cut), PROGRAM.subarray(cut)]) {
        log.push(part)
        if (part.byteOffset === PROGRAM.byteOffset) await feed(screen, part)
      }
      const pending = screen.snapshot()
      await feed(screen, PROGRAM.subarray(cut))
      const { seq, data } = await pending
      const rest = PROGRAM.subarray(seq)
      const drawn = await rowsAfter([data, rest])
      expect(drawn, `cut at ${cut}, snapshot at ${seq}`).toEqual(expected)
      screen.dispose()
    }
  })

  it('starts before a sequence that its program never finishes', async () => {
    const bytes = Buffer.from('hello \x1b[31mred\x1b]0;a title without an é end')
    const screen = screenOf([bytes])
    await feed(screen, bytes)
    const { seq } = await screen.snapshot()
    expect(bytes.subarray(seq).toString()).toBe('\x1b]0;a title without an é end')
    screen.dispose()
  })

  it('keeps the hidden cursor and the SGR mouse', async () => {
    const bytes = Buffer.from('\x1b[?25l\x1b[?1000h\x1b[?1006h')
    const screen = screenOf([bytes])
    await feed(screen, bytes)
    const text = (await screen.snapshot()).data.toString()
    for (const mode of ['\x1b[?25l', '\x1b[?1000h', '\x1b[?1006h']) expect(text).toContain(mode)
    screen.dispose()
  })

  it('fits one frame even when every cell has its own colour', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'screen-'))
    const log = new SegmentLog(dir, { segmentBytes: 1 << 23, bytesMax: 1 << 26, tailBytes: 1 << 20 })
    const screen = new Screen({ cols: 200, rows: 50 }, { startSeq: 0, recent: (from, max) => log.read(from, max) })
    const cell = (i: number) => `\x1b[38;2;${i % 256};${(i >> 3) % 256};7mx`
    const line = Buffer.from(`${Array.from({ length: 200 }, (_, i) => cell(i)).join('')}\r\n`)
    for (let i = 0; i < 1100; i++) await feed(screen, line)
    expect((await screen.snapshot()).data.byteLength).toBeLessThan(1_048_576)
    screen.dispose()
    log.close()
    rmSync(dir, { recursive: true })
  })
})
