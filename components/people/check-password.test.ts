import { expect, it } from 'vitest'
import { checkPassword } from './check-password'

it.each([
  [
    { current: '', next: 'short' },
    { current: 'your password as it is now', next: 'at least 15 characters' },
  ],
  [{ current: 'x', next: 'correct horse battery staple '.repeat(5) }, { next: 'at most 128 characters' }],
  [{ current: 'x', next: 'okra lantern gneiss otter 41' }, {}],
])('names each wrong field with its limit: %j', (fields, errors) => expect(checkPassword(fields).errors).toEqual(errors))
