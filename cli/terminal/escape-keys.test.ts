import { describe, expect, it } from 'vitest'
import { EscapeKeys } from './escape-keys'

const ESC = '\x1d'

describe('Ctrl-] in an attached terminal', () => {
  it.each([
    ['abc', 'abc'],
    [`ab${ESC}d`, 'ab|detach'],
    [`ab${ESC}tcd${ESC}r`, 'ab|take|cd|release'],
    [`${ESC}${ESC}x`, `${ESC}x`],
    [`${ESC}qx`, 'x'],
    [`dtr${ESC}`, 'dtr'],
  ])('%j means %j, however it is cut', (typed, meant) => {
    for (let cut = 0; cut <= typed.length; cut++) {
      const keys = new EscapeKeys()
      const words = [typed.slice(0, cut), typed.slice(cut)].flatMap((part) => keys.read(Buffer.from(part)))
      const said = words.map((word) => (word.kind === 'bytes' ? Buffer.from(word.bytes).toString() : `|${word.kind}|`)).join('')
      expect(said.replaceAll('||', '|').replace(/^\||\|$/g, '')).toBe(meant)
    }
  })
})
