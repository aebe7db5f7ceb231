import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nearest } from './nearest.mjs'
import { parseSettings } from './settings'

const schema = z.object({
  APP_HOME: z.string(),
  APP_PORT: z.coerce.number().int('a whole number').max(9, 'at most 9').default(7),
})
const options = { prefix: 'APP_', alsoKnown: ['APP_DB'] }

describe('settings', () => {
  it('are parsed once, with defaults, and ignore other prefixes', () => {
    expect(parseSettings(schema, { APP_HOME: '/x', APP_DB: 'y', PATH: '/bin' }, options)).toEqual({ APP_HOME: '/x', APP_PORT: 7 })
  })

  it('name the variable and its limit when a value is bad', () => {
    expect(() => parseSettings(schema, { APP_HOME: '/x', APP_PORT: '10' }, options)).toThrow('APP_PORT: at most 9')
    expect(() => parseSettings(schema, {}, options)).toThrow(/^APP_HOME: /)
  })

  it('refuse an unknown name and say the nearest known one', () => {
    expect(() => parseSettings(schema, { APP_HOME: '/x', APP_PROT: '1' }, options)).toThrow(
      'APP_PROT is not a setting; did you mean APP_PORT?',
    )
    expect(nearest('APP_HOEM', ['APP_PORT', 'APP_HOME'])).toBe('APP_HOME')
  })
})
