import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LogLines } from './log-lines'

const bytes = (text: string) => new TextEncoder().encode(text)
const SMALL = { linesMax: 3, charsMax: 1000, lineBytesMax: 10 }

it('lines are the same however the bytes are cut', () => {
  const text = 'one\ntwo grün\n\n日本\nlast without end'
  const whole = new LogLines()
  whole.push(bytes(text))
  expect(whole.lines.map((line) => line.text)).toEqual(text.split('\n'))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes(text).length })), (cuts) => {
      const cut = new LogLines()
      const at = [0, ...cuts.sort((a, b) => a - b), bytes(text).length]
      at.forEach((from, i) => {
        cut.push(bytes(text).slice(from, at[i + 1] ?? from))
      })
      expect(cut.lines).toEqual(whole.lines)
    }),
  )
})

it('a line carries the byte at which it begins', () => {
  const log = new LogLines()
  log.jumpTo(100)
  log.push(bytes('ü\nb\nc'))
  expect(log.lines.map((line) => line.seq)).toEqual([100, 103, 105])
  expect(log.endSeq).toBe(106)
})

it('memory is bounded by lines and by characters, and what has left is counted', () => {
  const log = new LogLines(SMALL)
  log.push(bytes('1\n2\n3\n4\n5\n'))
  expect([log.dropped, log.lines.map((line) => line.text)]).toEqual([2, ['3', '4', '5']])
  const short = new LogLines({ ...SMALL, charsMax: 4 })
  short.push(bytes('aaa\nbbb\n'))
  expect(short.lines.map((line) => line.text)).toEqual(['bbb'])
})

it('a line without an end is broken, never kept whole', () => {
  const log = new LogLines({ ...SMALL, linesMax: 100 })
  for (let i = 0; i < 5; i++) log.push(bytes('xxxxxxx'))
  expect(log.lines.map((line) => line.text.length)).toEqual([10, 10, 10, 5])
})

it('a mark stands between printed lines and keeps their ids apart', () => {
  const log = new LogLines()
  log.push(bytes('a\nb'))
  log.mark('4 KiB not shown')
  log.jumpTo(50)
  log.push(bytes('c'))
  expect(log.lines.map((line) => line.text)).toEqual(['a', 'b', '4 KiB not shown', 'c'])
  expect(new Set(log.lines.map((line) => line.id)).size).toBe(4)
  expect(log.lines.at(-1)?.seq).toBe(50)
})
