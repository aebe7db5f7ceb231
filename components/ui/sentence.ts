/** A text that begins a line. Pure. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A text that stands alone: with its full stop. Pure. */
export function fullSentence(text: string): string {
  return sentence(text) + (/[.!?]$/.test(text) ? '' : '.')
}
