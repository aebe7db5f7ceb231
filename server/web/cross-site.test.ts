import { describe, expect, it } from 'vitest'
import { isProgram, isSameOriginRead, isSameOriginWrite } from './cross-site'

const OURS = 'http://berth.localhost:7480'
const SITES = [null, 'same-origin', 'same-site', 'cross-site', 'none']
const MODES = [null, 'cors', 'no-cors', 'navigate', 'websocket']
const ORIGINS = [
  null,
  OURS,
  'null',
  'http://berth.localhost:7481',
  'http://localhost:7480',
  'https://berth.localhost:7480',
  'http://w-a.localhost:7481',
]
const TYPES = [
  null,
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/jsonp',
  'text/plain; application/json',
]

function headersOf(values: Record<string, string | null>): Headers {
  return new Headers(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null))
}

describe('isSameOriginWrite', () => {
  it('A9: lets exactly the same-origin JSON requests of the whole matrix through', () => {
    const passed = new Set<string>()
    for (const site of SITES)
      for (const mode of MODES)
        for (const origin of ORIGINS)
          for (const type of TYPES) {
            const headers = headersOf({ 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, 'content-type': type })
            if (isSameOriginWrite(headers, OURS)) passed.add(`${site} | ${origin} | ${type}`)
          }
    expect([...passed].sort()).toEqual(
      [
        `null | ${OURS} | application/json`,
        `null | ${OURS} | application/json; charset=utf-8`,
        `same-origin | ${OURS} | application/json`,
        `same-origin | ${OURS} | application/json; charset=utf-8`,
        'same-origin | null | application/json',
        'same-origin | null | application/json; charset=utf-8',
      ].sort(),
    )
  })
})

describe('isProgram', () => {
  it('is nobody who could be a browser, or who brings a cookie', () => {
    expect(isProgram(headersOf({ 'content-type': 'application/json' }))).toBe(true)
    const signs: Record<string, string>[] = [
      { cookie: 'a=b' },
      { origin: 'null' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-mode': 'cors' },
    ]
    for (const sign of signs) expect([sign, isProgram(headersOf(sign))]).toEqual([sign, false])
  })
})

describe('isSameOriginRead', () => {
  it.each([
    [null, true],
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
  ])('%s: %s', (site, expected) => {
    expect(isSameOriginRead(headersOf({ 'sec-fetch-site': site }))).toBe(expected)
  })
})
