const TAB = 0x09
const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const DELETE = 0x7f
/** Begins the second set of control characters in UTF-8. */
const C1 = 0xc2
/** One in each of four bytes, and the highest bit of each. */
const EACH = 0x01010101
const HIGHEST = EACH * 0x80

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

/** Where the first byte stands that does more than put text on the screen. Four bytes at a time: a flood is read only for this. */
function plainEnd(bytes: Uint8Array): number {
  const head = Math.min(bytes.byteLength, -bytes.byteOffset & 3)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.byteLength - head) >> 2)
  let at = plainUntil(bytes, 0, head)
  for (let word = 0; at === head + word * 4; word++) {
    while (word < words.length && isText(words[word] ?? 0)) word += 1
    at = head + word * 4
    if (word >= words.length) return plainUntil(bytes, at, bytes.byteLength)
    at = plainUntil(bytes, at, at + 4)
  }
  return at
}

/** The first byte of these that does more than put text; `to` when there is none. */
function plainUntil(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    const isControl = byte < SPACE ? byte !== NEWLINE && byte !== RETURN && byte !== TAB : byte === DELETE || byte === C1
    if (isControl) return at
  }
  return to
}

/** Four bytes of which none is a control character, `DELETE` or `C1`: no subtraction borrows from a byte's highest bit. May deny, never errs otherwise. */
function isText(word: number): boolean {
  const del = word ^ (DELETE * EACH)
  const c1 = word ^ (C1 * EACH)
  const found = ((word - SPACE * EACH) & ~word) | ((del - EACH) & ~del) | ((c1 - EACH) & ~c1)
  return (found & HIGHEST) === 0
}
