'use client'
import { useRef } from 'react'

type Handlers = { onOpenAutoFocus: (event: Event) => void; onCloseAutoFocus: (event: Event) => void }

/**
 * Gives focus back to what had it when an overlay opened. Radix does so for a trigger of its own only; ours are opened by
 * state. `onOpen` may choose what is focused first.
 */
export function useReturnFocus(onOpen?: (event: Event) => void): Handlers {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event) => {
      opener.current = document.activeElement
      onOpen?.(event)
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
    },
  }
}
