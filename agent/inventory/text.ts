const CHARS_MAX = 120

/** Text of the machine made fit for the inventory: one line, no control characters, at most 120 characters. */
export function clip(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, CHARS_MAX)
}
