/** What a key of the page means: take control, or leave the terminal with the keyboard. */
export type PageKey = 'take-control' | 'leave'

type Key = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey'>

/** The few keys that the terminal does not get; null for all others. Pure. */
export function pageKeyOf({ key, metaKey, ctrlKey, shiftKey }: Key): PageKey | 'copy' | null {
  const isCtrlShift = ctrlKey && shiftKey
  if (key === 'Enter' && (metaKey || isCtrlShift)) return 'take-control'
  if (key === 'ArrowUp' && isCtrlShift) return 'leave'
  return key.toLowerCase() === 'c' && isCtrlShift ? 'copy' : null
}
