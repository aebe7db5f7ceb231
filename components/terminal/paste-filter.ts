export type Paste = {
  /** What will be typed: no control characters but tab and line ends; lines end with `\n`. */
  text: string
  /** A line end at the very end begins no line of its own. */
  lines: number
  /** How many control characters were taken out. */
  removed: number
  /** More than one line, or a line end that would run what was pasted: the person is asked first. */
  mustAsk: boolean
}

/** Everything that can act on a terminal instead of being text in it: C0 without tab and line feed, DEL and C1. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu
/** Characters that make text look like other text: direction overrides and invisible separators. */
const DISGUISES = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/g

/** Makes a clipboard's text safe to type: a paste can never end its own brackets or bring a hidden command. Pure. */
export function cleanPaste(clipboard: string): Paste {
  const unified = clipboard.replace(/\r\n?|\u2028|\u2029/g, '\n')
  const text = unified.replace(CONTROLS, '').replace(DISGUISES, '')
  return {
    text,
    lines: text.replace(/\n$/, '').split('\n').length,
    removed: unified.length - text.length,
    mustAsk: text.includes('\n'),
  }
}

/** The bytes of a paste: carriage returns as typed by Enter, in brackets where the program asked for them. */
export function pasteBytes(text: string, isBracketed: boolean): string {
  const typed = text.replaceAll('\n', '\r')
  return isBracketed ? `\x1b[200~${typed}\x1b[201~` : typed
}
