import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { limitOf, wrongInput } from './issue-words'
import { createWorkloadInput } from './workloads'

type Code = z.core.$ZodIssue['code']
const union = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])
const issueOf = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues[0]

/** A complaint of each code that the library has; the compiler says when it gets another one. */
const CODES: Record<Code, [schema: z.ZodType, input: unknown, words: string][]> = {
  invalid_type: [
    [z.string(), 1, 'a text expected'],
    [z.string(), undefined, 'is missing'],
    [z.int(), 1.5, 'a whole number expected'],
    [z.array(z.string()), {}, 'a list expected'],
    [z.object({}), 'text', 'an object expected'],
  ],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'one of a, b'],
    [z.literal('a'), 'c', 'a'],
  ],
  too_big: [
    [z.string().max(3), 'abcd', 'at most 3 characters'],
    [z.number().max(3), 4, 'at most 3'],
    [z.number().lt(3), 3, 'less than 3'],
    [z.array(z.string()).length(1), ['a', 'b'], 'exactly 1 item'],
  ],
  too_small: [
    [z.string().min(1), '', 'at least 1 character'],
    [z.number().min(3), 2, 'at least 3'],
    [z.number().gt(3), 3, 'more than 3'],
    [z.array(z.string()).min(2), [], 'at least 2 items'],
  ],
  invalid_format: [
    [z.uuid(), 'x', 'an id (a UUID)'],
    [z.email(), 'x', 'an e-mail address'],
    [z.string().regex(/^a$/), 'b', 'not in the form that is asked for'],
    [z.string().startsWith('a'), 'b', 'not in the form that is asked for'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 3, 'a multiple of 5']],
  unrecognized_keys: [[z.strictObject({}), { a: 1 }, 'not a known field']],
  invalid_union: [[union, { kind: 'c' }, 'none of the forms that it may have']],
  invalid_key: [[z.record(z.string().max(1), z.string()), { long: '' }, 'a name in it is not valid']],
  invalid_element: [[z.map(z.object({}), z.string()), new Map([[{}, 1]]), 'a value in it is not valid']],
  custom: [[z.string().refine(() => false), 'a', 'not valid']],
}

describe('a complaint of a schema without words of its own', () => {
  it.each(Object.entries(CODES).flatMap(([code, rows]) => rows.map((row) => ({ code, row }))))(
    'is said in ours: $code, $row.2',
    ({ code, row: [schema, input, words] }) => {
      const issue = issueOf(schema, input)
      expect(issue).toMatchObject({ code, message: expect.stringMatching(/^[A-Z]/) })
      expect(issue && limitOf(issue)).toBe(words)
    },
  )

  it('keeps the words of a schema that has its own', () => {
    const issue = issueOf(z.string().min(1, 'a name'), '')
    expect(issue && limitOf(issue)).toBe('a name')
  })
})

it.each<[Record<string, unknown>, string, string]>([
  [{ kind: 'car' }, 'kind', 'one of notebook, endpoint, session'],
  [{ kind: 'session' }, 'spec', 'is missing'],
  [{ kind: 'session', name: 'Not A Name', spec: {} }, 'name', '1 to 63 of a-z, 0-9 and -, starting with a letter or digit'],
  [{ kind: 'session', spec: { runtime: 'shell', surprise: 1 } }, 'spec.cpus', 'a whole number of CPUs'],
])('of a create, %j names its field and what it may be', (input, field, limit) => {
  const { error } = createWorkloadInput.safeParse(input)
  expect(error && wrongInput(error)).toEqual({ field, limit })
})
