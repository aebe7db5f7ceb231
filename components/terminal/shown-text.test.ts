import { expect, it } from 'vitest'
import { shownText } from './shown-text'

it('the screen as text is what is scrolled to, without blank ends', () => {
  const lines = ['old', '$ ls  ', 'a b', '']
  const getLine = (y: number) => (lines[y] === undefined ? undefined : { translateToString: () => (lines[y] ?? '').trimEnd() })
  expect(shownText({ rows: 4, buffer: { active: { viewportY: 1, getLine } } })).toBe('$ ls\na b')
})
