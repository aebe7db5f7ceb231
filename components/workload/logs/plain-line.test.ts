import { expect, it } from 'vitest'
import { plainLine } from './plain-line'

it.each([
  ['text as it is', 'step 1\tloss 0.5', 'step 1\tloss 0.5'],
  ['colours', '\u001b[1;31merror\u001b[0m: no', 'error: no'],
  ['a title, also one without an end', '\u001b]0;title\u0007ok\u001b]2;never ended', 'ok'],
  ['a clipboard write', '\u001b]52;c;aGk=\u001b\\done', 'done'],
  ['an eight-bit sequence', '\u009b31mred', 'red'],
  ['a sequence that the line cuts off', 'ok\u001b[3', 'ok'],
  ['a bar that is drawn over', '10 %\r50 %\r100 %', '100 %'],
  ['the end of a line of Windows', 'done\r', 'done'],
  ['bells and marks that turn the text around', 'a\u0007\u202eb', 'ab'],
])('a line holds plain text only: %s', (_, printed, plain) => {
  expect(plainLine(printed)).toBe(plain)
})
