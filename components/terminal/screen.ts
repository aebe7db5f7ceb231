import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import type { TerminalConnection } from './connection'
import { filterEscapes, isFocusReport } from './escape-filter'
import { drawRefusals } from './own-lines'
import { type PageKey, pageKeyOf } from './page-keys'
import { cleanPaste, type Paste, pasteBytes } from './paste-filter'
import { shownText } from './shown-text'
import { readTerminalTheme, reportedColour } from './terminal-theme'
import { forwardTouchScroll } from './touch-scroll'
import { ownFontPx, viewerFontPx } from './view-size'

export type ScreenEvents = {
  /** A link of the program was clicked; nothing is opened yet. */
  onLink: (uri: string) => void
  /** Something was pasted that needs a yes; `type` types it. */
  onPaste: (paste: Paste, type: () => void) => void
  /** A key or paste of someone who only watches: nothing was sent. */
  onRefusedInput: () => void
  onPageKey: (key: PageKey) => void
}

const SCROLLBACK_LINES = 5000
/** What comes this soon after a connect is the past: its questions are not answered again. */
const REPLAY_MS = 300

/**
 * The renderer of one connection: xterm in a host element, and everything between the two. It owns size, input, pastes
 * and links; React only mounts it. `dispose()` undoes all of it, the connection stays.
 */
export class TerminalScreen {
  readonly #connection: TerminalConnection
  readonly #host: HTMLElement
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #events: ScreenEvents
  readonly #undo: (() => void)[] = []
  #theirSize: { cols: number; rows: number } | null = null
  #isReplay = true
  #openedAt = 0
  #opens = 0
  #frame = 0
  #restPx = 0

  constructor(host: HTMLElement, connection: TerminalConnection, events: ScreenEvents) {
    this.#host = host
    this.#connection = connection
    this.#events = events
    const theme = readTerminalTheme(host)
    this.#terminal = new Terminal({
      allowProposedApi: false,
      cursorBlink: false,
      disableStdin: connection.mode !== 'control',
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: ownFontPx(host.clientWidth),
      fontWeightBold: 600,
      // The cell is as high as the font: only so do the lines of boxes meet.
      lineHeight: 1,
      linkHandler: { activate: (_event, uri) => events.onLink(uri) },
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme,
    })
    this.#terminal.loadAddon(this.#fit)
    this.#terminal.open(host)
    const colours = { foreground: reportedColour(theme.foreground), background: reportedColour(theme.background) }
    this.#undo.push(
      filterEscapes(this.#terminal, {
        mayAnswer: () => !this.#isReplay && connection.mode === 'control',
        answer: (reply) => connection.send(reply),
        colours,
      }),
    )
    this.#listenToPerson()
    this.#listenToConnection()
    this.#scheduleSize()
  }

  focus(): void {
    this.#terminal.focus()
  }

  /** Types what was composed or chosen outside the terminal, such as on the key bar. */
  type(text: string): void {
    if (!this.#connection.send(text)) this.#events.onRefusedInput()
    this.#terminal.scrollToBottom()
  }

  get isApplicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode
  }

  /** What is on the screen, as text: a finger cannot select. */
  get shown(): string {
    return shownText(this.#terminal)
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame)
    for (const undo of this.#undo) undo()
    this.#terminal.dispose()
  }

  #listenToPerson(): void {
    const terminal = this.#terminal
    terminal.onData((data) => this.#typed(data))
    terminal.onBinary((data) => this.#connection.send(Uint8Array.from(data, (c) => c.charCodeAt(0) & 0xff)))
    terminal.attachCustomKeyEventHandler((event) => this.#isForTerminal(event))
    const onPaste = (event: ClipboardEvent) => this.#paste(event)
    const onKey = (event: KeyboardEvent) => this.#watcherTyped(event)
    this.#host.addEventListener('paste', onPaste, { capture: true })
    this.#host.addEventListener('keydown', onKey)
    const observer = new ResizeObserver(() => this.#scheduleSize())
    observer.observe(this.#host)
    this.#undo.push(
      () => this.#host.removeEventListener('paste', onPaste, { capture: true }),
      () => this.#host.removeEventListener('keydown', onKey),
      () => observer.disconnect(),
      forwardTouchScroll(this.#host, (deltaPx) => this.#scroll(deltaPx)),
    )
  }

  #listenToConnection(): void {
    const terminal = this.#terminal
    const connection = this.#connection
    this.#undo.push(
      connection.on('status', ({ status }) => {
        if (status === 'open') this.#opened()
        this.#scheduleSize()
      }),
      connection.on('mode', ({ mode }) => {
        terminal.options.disableStdin = mode !== 'control'
        this.#scheduleSize()
      }),
      connection.on('size', (size) => {
        this.#theirSize = size
        this.#scheduleSize()
      }),
      connection.on('snapshot', ({ bytes, seq, cols, rows }) => {
        this.#theirSize = { cols, rows }
        terminal.reset()
        terminal.resize(cols, rows)
        this.#write(bytes, seq, true)
        this.#scheduleSize()
      }),
      drawRefusals(terminal, connection),
      connection.on('output', ({ bytes, seq }) => this.#write(bytes, seq + bytes.byteLength, this.#isCatchingUp())),
    )
  }

  #opened(): void {
    this.#openedAt = performance.now()
    this.#opens++
  }

  /** A first connection begins with a picture; a later one with the bytes that were missed. */
  #isCatchingUp(): boolean {
    return this.#opens > 1 && performance.now() - this.#openedAt < REPLAY_MS
  }

  /** Bytes are parsed later than they come: whether they are the past is set when their turn comes. */
  #write(bytes: Uint8Array, drawnTo: number, isReplay: boolean): void {
    this.#terminal.write('', () => {
      this.#isReplay = isReplay
    })
    this.#terminal.write(bytes, () => this.#connection.rendered(drawnTo))
  }

  #typed(data: string): void {
    // The terminal reports its own focus when a program asks: not while that question is an old one.
    if (isFocusReport(data) && this.#isReplay) return
    if (!this.#connection.send(data)) this.#events.onRefusedInput()
  }

  #paste(event: ClipboardEvent): void {
    event.preventDefault()
    event.stopPropagation()
    const paste = cleanPaste(event.clipboardData?.getData('text/plain') ?? '')
    if (paste.text === '') return
    if (this.#connection.mode !== 'control') {
      this.#events.onRefusedInput()
      return
    }
    const type = () => this.type(pasteBytes(paste.text, this.#terminal.modes.bracketedPasteMode))
    if (paste.mustAsk) this.#events.onPaste(paste, type)
    else type()
  }

  /** The terminal gets every key but three: take control, leave the terminal, copy. */
  #isForTerminal(event: KeyboardEvent): boolean {
    const key = pageKeyOf(event)
    if (key === null) return true
    event.preventDefault()
    event.stopPropagation()
    if (event.type !== 'keydown') return false
    if (key !== 'copy') this.#events.onPageKey(key)
    else if (this.#terminal.hasSelection()) void navigator.clipboard.writeText(this.#terminal.getSelection())
    return false
  }

  #watcherTyped(event: KeyboardEvent): void {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (this.#connection.mode !== 'control' && (isText || event.key === 'Enter')) this.#events.onRefusedInput()
  }

  /** Scrollback moves by whole lines; what is left of a finger's way waits for the next move. */
  #scroll(deltaPx: number): boolean {
    const { buffer, modes, rows } = this.#terminal
    if (buffer.active.type === 'alternate' || modes.mouseTrackingMode !== 'none') return false
    const linePx = (this.#host.querySelector('.xterm-screen')?.clientHeight ?? 0) / rows
    if (linePx <= 0) return false
    this.#restPx += deltaPx
    const lines = Math.trunc(this.#restPx / linePx)
    this.#restPx -= lines * linePx
    this.#terminal.scrollLines(lines)
    return true
  }

  #scheduleSize(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#applySize())
  }

  /** Who types decides the size; who watches sees the same grid in smaller letters. */
  #applySize(): void {
    const isOurs = this.#connection.mode === 'control' || this.#theirSize === null
    if (isOurs) {
      this.#terminal.options.fontSize = ownFontPx(this.#host.clientWidth)
      const size = this.#fit.proposeDimensions()
      if (!size || Number.isNaN(size.cols) || Number.isNaN(size.rows)) return
      this.#terminal.resize(Math.max(2, size.cols), Math.max(1, size.rows))
      this.#connection.resize(this.#terminal.cols, this.#terminal.rows)
      return
    }
    if (this.#theirSize) this.#showTheirs(this.#theirSize)
  }

  #showTheirs(grid: { cols: number; rows: number }): void {
    this.#terminal.resize(grid.cols, grid.rows)
    const drawn = this.#host.querySelector('.xterm-screen')?.getBoundingClientRect()
    if (!drawn) return
    const cell = {
      widthPx: drawn.width / grid.cols,
      heightPx: drawn.height / grid.rows,
      fontPx: this.#terminal.options.fontSize ?? ownFontPx(this.#host.clientWidth),
    }
    const { clientWidth: widthPx, clientHeight: heightPx } = this.#host
    this.#terminal.options.fontSize = viewerFontPx({ widthPx, heightPx }, grid, cell)
  }
}
