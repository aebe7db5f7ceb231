import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { destinationOf } from './hosts'

const PORT = 7480
const LABEL = 'abcdefghijklmnopqrstuvwxyz'
const GOOD = `w-${LABEL}.localhost:7481`

describe('destinationOf', () => {
  it.each(['0', '65536', '08080', '+80', '80a', '', '-80', '80--81', '999999', '8.0'])('reads no port in %j', (port) => {
    expect(destinationOf(`w-${LABEL}--${port}.localhost:7481`, PORT)).toEqual({ host: 'unknown' })
  })

  it.each([
    [GOOD, { host: 'workload', label: LABEL, port: null }],
    [GOOD.toUpperCase(), { host: 'workload', label: LABEL, port: null }],
    [`W-${LABEL}.LocalHost:7481`, { host: 'workload', label: LABEL, port: null }],
    ['io.berth.localhost:7481', { host: 'data' }],
    ['IO.berth.localhost:7481', { host: 'data' }],
    ['w-.localhost:7481', { host: 'unknown' }],
    ['w-short.localhost:7481', { host: 'unknown' }],
    [`w-${LABEL}a.localhost:7481`, { host: 'unknown' }],
    [`w-${LABEL}--8080.localhost:7481`, { host: 'workload', label: LABEL, port: 8080 }],
    [`W-${LABEL}--1.localhost:7481`, { host: 'workload', label: LABEL, port: 1 }],
    [`w-${LABEL}--65535.localhost:7481`, { host: 'workload', label: LABEL, port: 65535 }],
    [`w-${LABEL.slice(0, 25)}1.localhost:7481`, { host: 'unknown' }],
    [`w-${LABEL.slice(0, 25)}%61.localhost:7481`, { host: 'unknown' }],
    [`w-xn--${LABEL.slice(0, 22)}.localhost:7481`, { host: 'unknown' }],
    ['w-0190a5e2-7b1c-7def-8abc-0123456789ab.localhost:7481', { host: 'unknown' }],
    [`w-${LABEL}.evil.localhost:7481`, { host: 'unknown' }],
    [`w-${LABEL}\n.localhost:7481`, { host: 'unknown' }],
    [`w-${LABEL}.localhost.:7481`, { host: 'foreign' }],
    [`w-${LABEL}.localhost`, { host: 'foreign' }],
    [`w-${LABEL}.localhost:`, { host: 'foreign' }],
    [`w-${LABEL}.localhost:7480`, { host: 'foreign' }],
    [`w-${LABEL}.localhost:07481`, { host: 'foreign' }],
    [`w-${LABEL}.localhost:7481 `, { host: 'foreign' }],
    [` ${GOOD}`, { host: 'foreign' }],
    [`user@${GOOD}`, { host: 'foreign' }],
    [`${GOOD}/`, { host: 'foreign' }],
    [`x.${GOOD}`, { host: 'foreign' }],
    [`w-${LABEL}.localhost.evil.example:7481`, { host: 'foreign' }],
    [`${LABEL}.localhost:7481`, { host: 'foreign' }],
    ['io.berth.localhost.:7481', { host: 'foreign' }],
    ['io.berth.localhost', { host: 'foreign' }],
    ['berth.localhost:7481', { host: 'foreign' }],
    ['localhost:7481', { host: 'foreign' }],
    ['127.0.0.1:7481', { host: 'foreign' }],
    ['[::1]:7481', { host: 'foreign' }],
    ['', { host: 'foreign' }],
    [undefined, { host: 'foreign' }],
    [`w-${'a'.repeat(5000)}.localhost:7481`, { host: 'foreign' }],
    // The Kelvin sign and the dotless i fold to ASCII letters in some languages.
    [`w-${LABEL.replace('k', '\u212a')}.localhost:7481`, { host: 'unknown' }],
    [`w-${LABEL.replace('i', '\u0131')}.localhost:7481`, { host: 'unknown' }],
  ])('reads %j as one destination', (host, expected) => {
    expect(destinationOf(host, PORT)).toEqual(expected)
  })

  it('never reads a label that is not the whole name between w- and .localhost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 12 }), (middle, tail) => {
        const found = destinationOf(`w-${middle}.localhost:7481${tail}`, PORT)
        if (found.host !== 'workload') return
        expect(tail).toBe('')
        expect(middle.toLowerCase()).toBe(found.label)
      }),
      { numRuns: 10_000 },
    )
  })
})
