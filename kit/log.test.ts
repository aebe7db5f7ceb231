import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from './log'

function capture() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog('test', { destination, level: 'debug' }), lines }
}

describe('the log', () => {
  it('censors fields whose names are secrets, at any depth', () => {
    const { log, lines } = capture()
    log.info('signed in', {
      password: 'hunter2',
      nested: { ticket: 'abc', list: [{ authorization: 'Bearer xyz' }] },
      user: 'mara',
    })
    const text = lines.join('')
    expect(text).not.toMatch(/hunter2|abc|xyz/)
    expect(JSON.parse(text)).toMatchObject({ msg: 'signed in', user: 'mara', password: '[redacted]', process: 'test' })
  })

  it('censors tokens inside texts and errors', () => {
    const { log, lines } = capture()
    log.error('refused', {
      url: '/x?t=berth_pat_abcDEF123',
      error: new Error('Bearer eyJhbGciOi', { cause: new Error('berth_setup_zzz') }),
    })
    expect(lines.join('')).not.toMatch(/abcDEF123|eyJhbGciOi|zzz/)
  })

  it('cuts a huge field', () => {
    const { log, lines } = capture()
    log.warn('long name', { name: 'x'.repeat(1_000_000) })
    expect(lines.join('').length).toBeLessThan(1000)
  })
})
