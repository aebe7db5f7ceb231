import { describe, expect, it } from 'vitest'
import { settings } from '../domain/settings.ts'
import { parseSettings } from '../kit/settings.ts'
import { LIMITS_OF, requireKnownValues } from './lib/settings.mjs'

const PLACES = { BERTH_HOME: '/d', BERTH_ROOT: '/r', BERTH_RUNTIME_DIR: '/run' }
const sentence = (check) => {
  try {
    check()
    return null
  } catch (error) {
    return error.message
  }
}

describe('a setting is judged before anything is installed', () => {
  it.each([
    ['BERTH_DATABASE_URL', ['postgres://h/d', 'postgresql://h/d', 'mysql://h/d', '']],
    ['BERTH_CATALOG', ['/c.yaml', 'c.yaml']],
    ['BERTH_LOG_LEVEL', ['debug', 'warn', 'loud', 'DEBUG']],
    ['BERTH_DRIVERS', ['process', 'sim', 'process,sim', 'docker', 'process,']],
    ['BERTH_TOKEN', [`berth_pat_${'a'.repeat(49)}`, 'berth_pat_a']],
  ])('%s: in the same words as after it', (name, values) => {
    for (const value of values) {
      const environment = { ...PLACES, [name]: value }
      const after = sentence(() => parseSettings(settings, environment, { prefix: 'BERTH_', alsoKnown: [] }))
      expect([value, sentence(() => requireKnownValues(environment))]).toEqual([value, after])
    }
  })

  it('and every one of them, but those that are places and ports', () => {
    const own = [...Object.keys(PLACES), 'BERTH_PORT']
    expect(Object.keys(LIMITS_OF).sort()).toEqual(
      Object.keys(settings.shape)
        .filter((name) => !own.includes(name))
        .sort(),
    )
  })
})
