/** What the filter needs of a terminal; the browser's and the headless one both have it. */
export type FilterableTerminal = {
  readonly cols: number
  readonly rows: number
  readonly buffer: { readonly active: { readonly cursorX: number; readonly cursorY: number } }
  readonly modes: FilterableModes
  readonly parser: {
    registerCsiHandler(id: SequenceId, handle: (params: (number | number[])[]) => boolean): Disposable
    registerDcsHandler(id: SequenceId, handle: (data: string) => boolean): Disposable
    registerOscHandler(id: number, handle: (data: string) => boolean): Disposable
  }
}
type SequenceId = { prefix?: string; intermediates?: string; final: string }
type Disposable = { dispose(): void }
type FilterableModes = {
  readonly applicationCursorKeysMode: boolean
  readonly bracketedPasteMode: boolean
  readonly sendFocusMode: boolean
  readonly mouseTrackingMode: 'none' | 'x10' | 'vt200' | 'drag' | 'any'
  readonly wraparoundMode: boolean
}

export type EscapeFilterOptions = {
  /** True only while this person types and the bytes are new: a replayed question was answered, or given up, long ago. */
  mayAnswer: () => boolean
  answer: (reply: string) => void
  /** Colours for programs that ask whether the ground is dark, as `rgb:rrrr/gggg/bbbb`. */
  colours: { foreground: string; background: string }
}

/** Longest link that is kept; a longer one is not a link. */
const LINK_CHARS_MAX = 4096
/** Titles (0–2), the clipboard (52) and the palette (4, 10–12, 104, 110–112) belong to the page, not to the program. */
const DROPPED_OSC = [0, 1, 2, 4, 12, 52, 104, 110, 111, 112]

/**
 * Stands between a program's escape sequences and the page. Every question that xterm would answer by itself is taken
 * here; the few that programs need are answered, and only for the one who types. Returns how to undo it.
 */
export function filterEscapes(terminal: FilterableTerminal, options: EscapeFilterOptions): () => void {
  const { parser } = terminal
  const reply = (text: string | null) => {
    if (text !== null && options.mayAnswer()) options.answer(text)
    return true
  }
  const handlers = [
    ...DROPPED_OSC.map((id) => parser.registerOscHandler(id, () => true)),
    parser.registerOscHandler(10, (data) => reply(data === '?' ? `\x1b]10;${options.colours.foreground}\x1b\\` : null)),
    parser.registerOscHandler(11, (data) => reply(data === '?' ? `\x1b]11;${options.colours.background}\x1b\\` : null)),
    parser.registerOscHandler(8, (data) => data.length > LINK_CHARS_MAX),
    // Window reports and resizes, and DECRQSS: never answered.
    parser.registerCsiHandler({ final: 't' }, () => true),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true),
    // "Repeat the last character" allocates what it is told to: at most a screenful.
    parser.registerCsiHandler({ final: 'b' }, (params) => first(params) > terminal.cols * terminal.rows),
    parser.registerCsiHandler({ final: 'c' }, (params) => reply(first(params) === 0 ? '\x1b[?1;2c' : null)),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, (params) => reply(first(params) === 0 ? '\x1b[>0;276;0c' : null)),
    parser.registerCsiHandler({ final: 'n' }, (params) => reply(deviceStatus(terminal, first(params), ''))),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, (params) => reply(deviceStatus(terminal, first(params), '?'))),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, () => true),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, (params) =>
      reply(modeReport(terminal.modes, first(params))),
    ),
  ]
  return () => {
    for (const handler of handlers) handler.dispose()
  }
}

/** Is this what the terminal sends by itself when its window gains or loses focus? */
export function isFocusReport(data: string): boolean {
  return data === '\x1b[I' || data === '\x1b[O'
}

function first(params: (number | number[])[]): number {
  const value = params[0]
  return typeof value === 'number' ? value : 0
}

function deviceStatus(terminal: FilterableTerminal, question: number, prefix: '' | '?'): string | null {
  const { cursorX, cursorY } = terminal.buffer.active
  if (question === 6) return `\x1b[${prefix}${cursorY + 1};${cursorX + 1}R`
  return question === 5 && prefix === '' ? '\x1b[0n' : null
}

/** DECRQM: 1 set, 2 reset, 0 unknown. */
function modeReport(modes: FilterableModes, mode: number): string {
  const known: Record<number, boolean> = {
    1: modes.applicationCursorKeysMode,
    7: modes.wraparoundMode,
    1000: modes.mouseTrackingMode === 'vt200',
    1002: modes.mouseTrackingMode === 'drag',
    1003: modes.mouseTrackingMode === 'any',
    1004: modes.sendFocusMode,
    2004: modes.bracketedPasteMode,
  }
  const isSet = known[mode]
  return `\x1b[?${mode};${isSet === undefined ? 0 : isSet ? 1 : 2}$y`
}
