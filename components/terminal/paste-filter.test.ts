import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanPaste, pasteBytes } from './paste-filter'

describe('paste filter', () => {
  it('V12: takes out the end of a bracketed paste, so that the rest stays text', () => {
    const paste = cleanPaste('ls \x1b[201~\rrm -rf /\r')
    expect(paste.text).toBe('ls [201~\nrm -rf /\n')
    expect(pasteBytes(paste.text, true).split('\x1b[201~')).toHaveLength(2)
  })

  it('V12: asks about every line end, also a hidden one', () => {
    const endings = ['a\n', 'a\rb', 'a\r\nb', 'a\u2028b', 'a\u2029b']
    expect(endings.map((text) => cleanPaste(text).mustAsk)).toEqual(endings.map(() => true))
    expect(cleanPaste('git status --short').mustAsk).toBe(false)
  })

  it('says how much it took out and how many lines are left', () => {
    expect(cleanPaste('a\x07b\u202ec\nd')).toEqual({ text: 'abc\nd', lines: 2, removed: 2, mustAsk: true })
    expect(cleanPaste('one\ntwo\n').lines).toBe(2)
    expect(cleanPaste('tab\tstays')).toMatchObject({ text: 'tab\tstays', removed: 0 })
  })

  it('leaves no control character in any text but tab and line feed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanPaste(text).text.replace(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })

  it('brackets a paste only where the program asked for it', () => {
    expect(pasteBytes('a\nb', false)).toBe('a\rb')
    expect(pasteBytes('a\nb', true)).toBe('\x1b[200~a\rb\x1b[201~')
  })
})
