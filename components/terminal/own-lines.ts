import type { Terminal } from '@xterm/xterm'
import { refusedLine } from '@/domain/refused-line'
import type { TerminalConnection } from './connection'

/** Output that has rested for so long is between two sequences. */
const REST_MS = 150
const TRIES_MAX = 60

/**
 * Draws a line of Berth's own into the terminal when its session was refused a host: above what stands at the cursor, only
 * here and never in the record. Not into a full-screen program, and not while output streams. Returns what ends it.
 */
export function drawRefusals(
  terminal: Pick<Terminal, 'write' | 'buffer' | 'rows' | 'cols'>,
  connection: Pick<TerminalConnection, 'on'>,
): () => void {
  const waiting: string[] = []
  let outputAt = Number.NEGATIVE_INFINITY
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    timer = undefined
    const isResting = performance.now() - outputAt >= REST_MS
    for (const text of isResting ? waiting.splice(0) : []) terminal.write('', () => terminal.write(lineAbove(terminal, text)))
    if (waiting.length > 0 && tries++ < TRIES_MAX) timer = setTimeout(draw, REST_MS)
    else waiting.length = 0
  }
  const undo = [
    connection.on('output', () => {
      outputAt = performance.now()
    }),
    connection.on('notice', ({ reason }) => {
      const line = refusedLine(reason)
      if (line === null) return
      waiting.push(line)
      tries = 0
      timer ??= setTimeout(draw, REST_MS)
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of undo) end()
  }
}

/** What puts a line above the one with the cursor, which stays where it stands in its line. */
function lineAbove({ buffer, rows, cols }: Pick<Terminal, 'buffer' | 'rows' | 'cols'>, text: string): string {
  const { type, cursorX, cursorY } = buffer.active
  const line = `[${text}]`.slice(0, cols - 1)
  if (type === 'alternate') return ''
  if (cursorX === 0) return `${line}\r\n`
  const makeRoom = cursorY === rows - 1 ? '\n\x1b[A' : ''
  return `${makeRoom}\r\x1b[L${line}\r\x1b[B\x1b[${cursorX}C`
}
