const ESC = '\\u001b'
const BELL = '\\u0007'
/** Escape sequences of terminals: CSI, OSC and other strings (also cut off by the line's end), two-byte ones. */
const ESCAPES = new RegExp(
  [
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*(?:[@-~]|$)`,
    `${ESC}[\\]PX^_][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\|$)`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
)
/** Other control characters than tabs and line ends, and marks that turn the direction of text around. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A printed line as plain text: no colours, no control characters; of a line that was drawn over, what was drawn last. Pure. */
export function plainLine(printed: string): string {
  const drawn = printed.replace(ESCAPES, '').replace(/\r+$/, '')
  const last = drawn.slice(drawn.lastIndexOf('\r') + 1)
  return last.replace(CONTROLS, (mark) => (mark === '\t' ? mark : ''))
}
