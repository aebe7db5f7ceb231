import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from './log'
import { openLogFile } from './log-file'

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
  it('K3: censors fields whose names are secrets, at any depth', () => {
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

  it('K3: censors tokens inside texts and errors', () => {
    const { log, lines } = capture()
    log.error('refused', {
      url: '/x?t=berth_pat_abcDEF123',
      error: new Error('Bearer eyJhbGciOi', { cause: new Error('berth_setup_zzz') }),
    })
    expect(lines.join('')).not.toMatch(/abcDEF123|eyJhbGciOi|zzz/)
  })

  it.each([
    'box\nERROR all is lost',
    'box\r\n{"level":50,"msg":"forged"}',
    'box\u001b[2J\u001b]0;owned\u0007',
    'box\u009b2J\u0085forged',
    'box\u2028forged\u2029forged',
    'box\u202egnp.exe\u2066\u200b\ufeff',
    'box\0\u007f\b\b\b',
  ])('M11: a host called %j is one line of JSON, and nothing that a terminal obeys', (hostname) => {
    const { log, lines } = capture()
    log.warn('machine refused', { hostname, error: new Error(hostname), list: [hostname], tools: { [hostname]: hostname } })
    const text = lines.join('')
    expect(text.endsWith('\n')).toBe(true)
    expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u)
    expect(JSON.parse(text)).toMatchObject({ msg: 'machine refused', level: 40, hostname: expect.stringMatching(/^box/) })
  })

  it('L4: cuts a huge field', () => {
    const { log, lines } = capture()
    log.warn('long name', { name: 'x'.repeat(1_000_000) })
    expect(lines.join('').length).toBeLessThan(1000)
  })
})

describe('the log in a file', () => {
  it('L4, M11: is private and bounded, tells an error once in a short line, and never throws', () => {
    const home = mkdtempSync(path.join(tmpdir(), 'berth-log-'))
    const file = path.join(home, 'logs/test.log')
    const told: string[] = []
    const destination = openLogFile(file, { bytesMax: 1000, tell: (line) => told.push(line) })
    const log = createLog('test', { destination })
    for (let i = 0; i < 40; i++) log.info('a line', { i })
    expect(readdirSync(path.dirname(file)).sort()).toEqual(['test.log', 'test.log.1'])
    for (const name of [file, `${file}.1`]) {
      expect(statSync(name).size).toBeLessThan(1200)
      expect(statSync(name).mode & 0o777).toBe(0o600)
    }
    expect(readFileSync(file, 'utf8')).toContain('"i":39')
    expect(told).toEqual([])
    const error = new Error('the database is locked')
    for (let i = 0; i < 3; i++) log.error('pass failed', { error })
    expect(told).toEqual([`test: pass failed: the database is locked (more in ${file})\n`])
    log.error('M11', { error: new Error('no box\r\u001b[2Jforged\nline') })
    expect(told[1]).toBe(`test: M11: no box [2Jforged line (more in ${file})\n`)
    rmSync(home, { recursive: true })
    log.warn('nowhere to go')
  })
})
