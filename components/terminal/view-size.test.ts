import { describe, expect, it } from 'vitest'
import { ownFontPx, viewerFontPx } from './view-size'

const cell = { widthPx: 7.8, heightPx: 20, fontPx: 13 }

describe('size of a terminal', () => {
  it('never grows beyond its own size for a small grid', () => {
    expect(viewerFontPx({ widthPx: 1000, heightPx: 800 }, { cols: 40, rows: 10 }, cell)).toBe(13)
  })

  it('shrinks until the typer’s grid fits, in half pixels', () => {
    const fontPx = viewerFontPx({ widthPx: 640, heightPx: 800 }, { cols: 118, rows: 30 }, cell)
    expect(fontPx).toBe(9)
    expect((118 * cell.widthPx * fontPx) / cell.fontPx).toBeLessThanOrEqual(640)
  })

  it('stays readable on a phone and lets the view scroll', () => {
    expect(viewerFontPx({ widthPx: 366, heightPx: 500 }, { cols: 200, rows: 50 }, cell)).toBe(6)
    expect(ownFontPx(366)).toBe(12)
  })

  it('does not divide by a cell that is not measured yet', () => {
    expect(viewerFontPx({ widthPx: 800, heightPx: 600 }, { cols: 80, rows: 24 }, { widthPx: 0, heightPx: 0, fontPx: 13 })).toBe(
      13,
    )
  })
})
