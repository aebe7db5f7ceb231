import headless from '@xterm/headless'
import { describe, expect, it, vi } from 'vitest'
import { filterEscapes } from './escape-filter'

const ESC = '\x1b'
const ST = `${ESC}\\`
const COLOURS = { foreground: 'rgb:dddd/dddd/dddd', background: 'rgb:0f0f/1212/1414' }

/** A terminal whose every outgoing byte is collected: what xterm says by itself, and what the filter answers. */
function open(mayAnswer: boolean) {
  const terminal = new headless.Terminal({ allowProposedApi: true, cols: 80, rows: 24, scrollback: 100 })
  const sent: string[] = []
  const leaked: string[] = []
  terminal.onData((data) => leaked.push(data))
  terminal.onBinary((data) => leaked.push(data))
  filterEscapes(terminal, { mayAnswer: () => mayAnswer, answer: (reply) => sent.push(reply), colours: COLOURS })
  const write = (data: string) => new Promise<void>((done) => terminal.write(data, done))
  return { terminal, sent, leaked, write }
}

/** Every question a program can ask, and every setting that would change the page. */
function hostileSequences(): string[] {
  const csi = ['c', '0c', '>c', '>0c', '=c', '5n', '6n', '?6n', '?15n', '?25n', '?26n', '?53n', '>q', 'x', '?u', '?1$p', '4$p']
  for (const mode of [7, 1000, 1002, 1003, 1004, 2004, 2026, 9999]) csi.push(`?${mode}$p`)
  for (let report = 1; report <= 24; report++) csi.push(`${report}t`)
  const dcs = ['$qm', '$qr', '$q q', '$q"p', '$q"q', '+q544e', '$q!']
  const osc = [
    '0;t',
    '1;t',
    '2;t',
    '4;1;?',
    '10;?',
    '11;?',
    '12;?',
    '13;?',
    '17;?',
    '19;?',
    '52;c;?',
    '52;c;aGk=',
    '50;?',
    '1337;x',
  ]
  for (let colour = 0; colour < 256; colour++) osc.push(`4;${colour};?`)
  const all = [...csi.map((s) => `${ESC}[${s}`), ...dcs.map((s) => `${ESC}P${s}${ST}`), ...osc.map((s) => `${ESC}]${s}\x07`)]
  return [...all, ...osc.map((s) => `${ESC}]${s}${ST}`)]
}

describe('escape filter', () => {
  it('V2: lets no byte leave the browser of someone who only watches, or during a replay', async () => {
    const { sent, leaked, write } = open(false)
    const sequences = hostileSequences()
    for (const sequence of sequences) await write(sequence)
    expect(sequences.length).toBeGreaterThan(400)
    expect(sent).toEqual([])
    expect(leaked).toEqual([])
  })

  it('V2: answers only what is on the list, for the one who types', async () => {
    const { sent, leaked, write } = open(true)
    for (const sequence of hostileSequences()) await write(sequence)
    const shapes = /^␛\[(\?1;2c|>0;276;0c|0n|\??\d+;\d+R|\?\d+;[012]\$y)$|^␛\]1[01];rgb:[0-9a-f/]+␛\\$/
    expect(leaked).toEqual([])
    expect(sent.map((reply) => reply.replaceAll(ESC, '␛')).filter((reply) => !shapes.test(reply))).toEqual([])
    expect(sent).toContain(`${ESC}[?1;2c`)
    expect(sent).toContain(`${ESC}[1;1R`)
    expect(sent).toContain(`${ESC}]11;${COLOURS.background}${ST}`)
  })

  it('reports the mode that is set', async () => {
    const { sent, write } = open(true)
    await write(`${ESC}[?2004h${ESC}[?2004$p`)
    expect(sent).toEqual([`${ESC}[?2004;1$y`])
  })

  it('V3: keeps the clipboard from the program, to read and to write', async () => {
    const used: string[] = []
    const clipboard = { writeText: async (text: string) => used.push(text), readText: async () => used.push('read') }
    vi.stubGlobal('navigator', { clipboard })
    const { sent, leaked, write } = open(true)
    for (const target of ['c', 'p', 's', '0', ''])
      for (const content of ['?', btoa('rm -rf /'), '!'])
        for (const end of ['\x07', ST]) await write(`${ESC}]52;${target};${content}${end}`)
    expect({ used, sent, leaked }).toEqual({ used: [], sent: [], leaked: [] })
    vi.unstubAllGlobals()
  })

  it('V5: keeps titles and palette from the program', async () => {
    const { terminal, write } = open(true)
    const titles: string[] = []
    terminal.onTitleChange((title) => titles.push(title))
    await write(`${ESC}]0;${'x'.repeat(100_000)}\x07${ESC}]2;rm -rf\x07`)
    expect(titles).toEqual([])
  })

  it('V5: does not repeat a character two thousand million times', async () => {
    const { terminal, write } = open(true)
    await write(`a${ESC}[2147483647b`)
    await write('b')
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('ab')
    await write(`${ESC}[3b`)
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('abbbb')
  })
})
