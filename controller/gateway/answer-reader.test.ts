import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerHead, AnswerReader } from './answer-reader'

/** What a reader makes of a stream that comes in these pieces and then ends. */
function readAll(pieces: readonly Buffer[], method = 'GET') {
  const seen: { head: AnswerHead | null; body: string; isWhole: boolean } = { head: null, body: '', isWhole: false }
  const reader = new AnswerReader(method, {
    head: (head) => {
      seen.head = head
    },
    body: (bytes, isLast) => {
      seen.body += bytes.toString('latin1')
      seen.isWhole = isLast
    },
  })
  for (const piece of pieces) reader.read(piece)
  const isReusable = reader.isReusable
  reader.end()
  return { ...seen, isReusable }
}
const answer = (text: string, method?: string) => readAll([Buffer.from(text, 'latin1')], method)

const GOOD = [
  ['counted', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\nhello', 'hello', true],
  [
    'chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX-T: 1\r\n\r\n',
    'hello',
    true,
  ],
  ['until the end', 'HTTP/1.1 200\r\nX-A: 1\r\nx-a: 2\r\n\r\nhello', 'hello', false],
  ['after 100 and 103', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n', '', true],
  ['one that closes', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi', 'hi', false],
  ['of an old server', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'hi', false],
  ['with something after it', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhiHTTP/1.1 200 OK', 'hi', false],
] as const

describe('an answer of a workload', () => {
  it.each(GOOD)('that is %s is read the same however it is cut', (...[, text, body, isReusable]) => {
    const whole = answer(text)
    expect(whole).toMatchObject({ body, isWhole: true, isReusable })
    const bytes = Buffer.from(text, 'latin1')
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.byteLength), { maxLength: 30 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.byteLength]
        expect(readAll(at.slice(1).map((end, i) => bytes.subarray(at[i], end)))).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps cookies apart, joins other headers, and has no body for HEAD', () => {
    expect(answer(GOOD[0][1]).head?.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(answer(GOOD[2][1]).head?.headers['x-a']).toBe('1, 2')
    expect(answer('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n', 'HEAD')).toMatchObject({
      body: '',
      isWhole: true,
      isReusable: true,
    })
    expect(
      answer('HTTP/1.1 200 OK\r\nconstructor: x\r\n__proto__: y\r\ncontent-length: 0\r\n\r\n').head?.headers.constructor,
    ).toBe('x')
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a signed length', 'HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nx-a : 1\r\ncontent-length: 0\r\n\r\n'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nx-a: 1\r\n more\r\ncontent-length: 0\r\n\r\n'],
    ['a bare line feed', 'HTTP/1.1 200 OK\r\nx-a: 1\nx-b: 2\r\ncontent-length: 0\r\n\r\n'],
    ['a bare carriage return', 'HTTP/1.1 200 OK\r\nx-a: 1\rx-b: 2\r\ncontent-length: 0\r\n\r\n'],
    ['a zero byte', 'HTTP/1.1 200 OK\r\nx-a: 1\0\r\ncontent-length: 0\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n'],
    ['too few bytes', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['a chunk that is longer than it says', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n'],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n'],
    ['bare line feeds between chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\nhello\n0\n\n'],
    ['an endless head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
    ['an endless beginning', `${'HTTP/1.1 103 Hints\r\n\r\n'.repeat(33)}HTTP/1.1 204 No\r\n\r\n`],
    ['half a head', 'HTTP/1.1 200 OK\r\nx: y\r\n'],
  ])('G12: with %s is no answer', (_what, text) => {
    expect(() => answer(text)).toThrow()
  })
})
