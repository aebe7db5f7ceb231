import { describe, expect, it } from 'vitest'
import { integer, named, optional, text } from './arguments'

const args = named({ machine: text(5), attempt: integer(0), detail: optional(text(3)) })

describe('named arguments', () => {
  it('give back what they know and drop the rest', () => {
    expect(args.safeParse({ machine: 'atlas', attempt: 2, secret: 'x' })).toEqual({
      success: true,
      data: { machine: 'atlas', attempt: 2 },
    })
    expect(args.safeParse({ machine: 'a', attempt: 0, detail: 'abc' }).success).toBe(true)
  })

  it.each([
    [{}],
    [{ machine: 'atlas' }],
    [{ machine: 'atlass', attempt: 1 }],
    [{ machine: 'a', attempt: -1 }],
    [{ machine: 'a', attempt: 1.5 }],
    [{ machine: 'a', attempt: Number.POSITIVE_INFINITY }],
    [{ machine: 'a', attempt: '1' }],
    [{ machine: 'a', attempt: 1, detail: null }],
    [Object.create({ machine: 'a', attempt: 1 })],
    [null],
    ['machine'],
  ])('refuse %j', (values) => expect(args.safeParse(values)).toEqual({ success: false }))
})
