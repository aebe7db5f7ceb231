import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutTrace } from './plain-output'
import { Screen } from './screen'

const SIZE = { cols: 20, rows: 5 }

async function drawn(pieces: readonly Buffer[], skips: boolean): Promise<string> {
  const screen = new Screen(SIZE, { startSeq: 0, recent: () => Buffer.alloc(0) })
  let seq = 0
  for (const piece of pieces) {
    const skipped = skips && screen.isPlain ? withoutTrace(piece, screen.linesKept) : 0
    if (skipped > 0) screen.skipTo(seq + skipped)
    seq += piece.byteLength
    await new Promise<void>((resolve) => screen.write(piece.subarray(skipped), seq, resolve))
  }
  const snapshot = await screen.snapshot()
  screen.dispose()
  expect(snapshot.seq).toBe(seq)
  return snapshot.data.toString()
}

const lines = (count: number, text: string) => Buffer.from(Array.from({ length: count }, (_, i) => `${text}${i}\r\n`).join(''))

describe('output that has scrolled away', () => {
  it.each([
    ['lines', [lines(9000, 'row ')]],
    ['after a half line in colour', [Buffer.from('\x1b[31mred and'), lines(9000, ' more '), Buffer.from('end')]],
    ['long lines that wrap, tabs and wide characters', [lines(5000, '\t\u6f22\u5b57 wraps around the edge ')]],
    ['on the alternate screen', [Buffer.from('\x1b[?1049h'), lines(9000, 'x'), Buffer.from('\x1b[2;3Hat')]],
    ['inside a scroll region', [Buffer.from('top\r\nkept\x1b[3;5r\x1b[3;1H'), lines(9000, 'in ')]],
    ['in the middle of a sequence', [Buffer.from('\x1b]0;title'), lines(4000, 'x'), Buffer.from('\x07after')]],
  ])('leaves the same screen when it is not drawn at all: %s', async (_what, pieces) => {
    expect(await drawn(pieces, true)).toBe(await drawn(pieces, false))
  })

  it('is most of a flood, and nothing of what cannot be told', () => {
    expect(withoutTrace(lines(9000, 'row '), 2005)).toBeGreaterThan(60_000)
    expect(withoutTrace(lines(2000, 'row '), 2005)).toBe(0)
    expect(withoutTrace(Buffer.concat([Buffer.from('\x1b[m'), lines(9000, 'row ')]), 2005)).toBe(0)
    expect(withoutTrace(Buffer.from('x\n'.repeat(9000)), 2005)).toBe(0) // bare line feeds keep their column
  })

  it('ends before the first byte that does more than put text, wherever it stands', () => {
    const text = lines(9000, 'row ')
    for (const byte of [
      ...Array.from({ length: 32 }, (_, code) => code).filter((code) => ![9, 10, 13].includes(code)),
      0x7f,
      0xc2,
    ])
      for (let at = 40_000; at < 40_008; at++) {
        const bytes = Buffer.from(text)
        bytes[at] = byte
        expect(withoutTrace(bytes, 2005), `${byte} at ${at}`).toBeLessThanOrEqual(at)
        expect(withoutTrace(bytes.subarray(at - 39_997), 2005), `${byte} at ${at}, elsewhere in memory`).toBeLessThanOrEqual(
          39_997,
        )
      }
    expect(withoutTrace(Buffer.from(`\t${text.toString().replaceAll('row', 'r\u00e9\u6f22')}`), 2005)).toBeGreaterThan(60_000)
  })

  it('is only ever plain text before a line that begins at the left edge', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(20), (noise, keep) => {
        const bytes = Buffer.concat([lines(keep * 2, 'a'), noise, lines(keep * 3, 'b')])
        const cut = withoutTrace(bytes, keep)
        if (cut === 0) return
        expect(bytes.subarray(cut - 2, cut).toString()).toBe('\r\n')
        expect(bytes.subarray(cut).toString('latin1').split('\n').length).toBeGreaterThan(keep)
      }),
    )
  })
})
