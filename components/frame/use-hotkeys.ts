'use client'
import { useEffect } from 'react'

type Keys = { onSearch: () => void; onNew: () => unknown }

/** ⌘K or Ctrl-K anywhere but in a terminal, where Ctrl-K is a key of the shell; N where nobody types. */
export function useHotkeys({ onSearch, onNew }: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const target = event.target instanceof HTMLElement ? event.target : null
      const isShell = target?.closest('.xterm') !== null && target !== null
      if (event.key.toLowerCase() === 'k' && (event.metaKey || (event.ctrlKey && !isShell)) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        onSearch()
        return
      }
      if (event.key !== 'n' || event.metaKey || event.ctrlKey || event.altKey || isTyping(target)) return
      event.preventDefault()
      onNew()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onSearch, onNew])
}

/** Typing, or choosing in an overlay where letters jump to items. */
export function isTyping(target: Element | null): boolean {
  const place = target?.closest(
    'input:not([type=radio],[type=checkbox]), textarea, select, .xterm, [role=dialog], [role=menu], [role=listbox]',
  )
  return Boolean(place)
}
