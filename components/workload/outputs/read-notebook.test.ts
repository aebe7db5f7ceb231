import { describe, expect, it } from 'vitest'
import { readNotebook } from './read-notebook'

const notebook = (cells: unknown, change: object = {}) => readNotebook(JSON.stringify({ nbformat: 4, cells, ...change }))
const outputsOf = (...outputs: unknown[]) => notebook([{ cell_type: 'code', source: '', outputs }])?.cells[0]?.outputs
const shown = (data: unknown) => outputsOf({ output_type: 'display_data', data })?.[0]

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** The beginning of a picture that says to be this large. */
const png = (width: number, height: number) => {
  const bytes = Buffer.from(PIXEL, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const jpeg = (width: number, height: number) =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0,
    0,
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
  ]).toString('base64')

describe('a saved notebook', () => {
  it('is its text, its code and what the code put out, in order', () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', '<b>bold</b>'] },
      {
        cell_type: 'code',
        source: 'print(6*7)',
        execution_count: 3,
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['4', '2\n', '10 %\r100 %\n'] },
          { output_type: 'execute_result', data: { 'text/plain': 'frame', 'text/html': '<table>' } },
          { output_type: 'error', ename: 'E', evalue: 'no', traceback: ['\u001b[31mE\u001b[0m', ' no'] },
        ],
      },
    ]
    expect(notebook(cells)).toEqual({
      isWhole: true,
      cells: [
        { is: 'text', source: '# Title\n<b>bold</b>', count: null, outputs: [] },
        {
          is: 'code',
          source: 'print(6*7)',
          count: 3,
          outputs: [
            { is: 'text', text: '42\n100 %' },
            { is: 'text', text: 'frame' },
            { is: 'error', text: 'E\n no' },
          ],
        },
      ],
    })
  })

  it('draws pictures that are what they say, with their size', () => {
    const src = `data:image/png;base64,${PIXEL}`
    expect(shown({ 'image/png': `${PIXEL.slice(0, 8)}\n${PIXEL.slice(8)}\n` })).toEqual({
      is: 'image',
      image: { src, width: 1, height: 1 },
    })
    expect(shown({ 'image/jpeg': jpeg(640, 480) })).toMatchObject({ is: 'image', image: { width: 640, height: 480 } })
  })

  it.each([
    ['a page', { 'text/html': '<script>alert(1)</script>' }],
    ['a program', { 'application/javascript': 'alert(1)' }],
    ['an SVG', { 'image/svg+xml': '<svg onload="alert(1)"/>' }],
    ['an SVG that says to be a PNG', { 'image/png': Buffer.from('<svg onload="alert(1)"/>').toString('base64') }],
    ['a JPEG that says to be a PNG', { 'image/png': jpeg(1, 1) }],
    ['an address that says to be a PNG', { 'image/png': 'https://evil.example/x.png' }],
    ['text that leaves its quotes', { 'image/png': `${PIXEL}" onerror="alert(1)` }],
    ['a picture that is too large to be drawn', { 'image/png': png(10_000, 9_999) }],
    ['a picture of no size', { 'image/png': png(0, 1) }],
    ['a JPEG without a size', { 'image/jpeg': '/9j/4AAE' }],
    ['no data', undefined],
    ['data that is none', 7],
  ])('G13: shows nothing of %s', (_what, data) => {
    expect(shown(data)).toEqual({ is: 'other' })
  })

  it('shows text beside what it does not show, without what would turn it around', () => {
    expect(shown({ 'image/png': 'no', 'text/plain': 'a\u202eb' })).toEqual({ is: 'text', text: 'ab' })
  })

  it('is cut where it is very long, and says so', () => {
    const long = outputsOf({ output_type: 'stream', text: 'x'.repeat(60_000) })?.[0]
    expect(long).toMatchObject({ is: 'text', text: expect.stringMatching(/^x{50000}\n… the rest is shown only in JupyterLab$/) })
    const many = Array.from({ length: 501 }, () => ({ cell_type: 'code', source: '1' }))
    expect(notebook(many)).toMatchObject({ isWhole: false, cells: { length: 500 } })
    expect(notebook([{ cell_type: 'code', outputs: Array(51).fill(null) }])?.isWhole).toBe(false)
  })

  it.each([
    ['half of one', '{"nbformat":4,"cells":['],
    ['an older format', '{"nbformat":3,"worksheets":[]}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no cells', '{"nbformat":4,"cells":{"length":1}}'],
    ['nothing', ''],
    ['a very deep list', '['.repeat(100_000)],
  ])('is none when the file is %s', (_what, text) => {
    expect(readNotebook(text)).toBeNull()
  })

  it('of the strangest parts is still one', () => {
    const odd = [null, 7, 'x', [], { cell_type: {}, source: [1, {}, 'ok'], execution_count: '<b>', outputs: 'x' }]
    expect(notebook(odd)?.cells.map(({ source, count }) => [source, count])).toEqual([
      ['', null],
      ['', null],
      ['', null],
      ['', null],
      ['ok', null],
    ])
    const strange = { output_type: 'error', traceback: [{ toString: 1 }], ename: ['E'], evalue: { x: 1 } }
    expect(outputsOf(null, 7, { output_type: '__proto__' }, strange)).toMatchObject([
      { is: 'other' },
      { is: 'other' },
      { is: 'other' },
      { is: 'error', text: 'E: ' },
    ])
  })
})
