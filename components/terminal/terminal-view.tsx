'use client'
import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef } from 'react'
import type { TerminalConnection } from './connection'
import { type ScreenEvents, TerminalScreen } from './screen'

type Props = {
  connection: TerminalConnection
  events: ScreenEvents
  /** The screen is drawn and measured: now connect. */
  onReady: (screen: TerminalScreen) => void
}

/** The terminal itself. It fills its parent; loaded only where a terminal is shown. */
export function TerminalView({ connection, events, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef({ events, onReady })
  useEffect(() => {
    latest.current = { events, onReady }
  })
  useEffect(() => {
    const element = host.current
    if (!element) return
    let screen: TerminalScreen | null = null
    let isGone = false
    // Cells are measured once: with the font that will be used.
    void loadFont(element).then(() => {
      if (isGone) return
      screen = new TerminalScreen(element, connection, {
        onLink: (uri) => latest.current.events.onLink(uri),
        onPaste: (paste, type) => latest.current.events.onPaste(paste, type),
        onRefusedInput: () => latest.current.events.onRefusedInput(),
        onPageKey: (key) => latest.current.events.onPageKey(key),
      })
      latest.current.onReady(screen)
    })
    return () => {
      isGone = true
      screen?.dispose()
    }
  }, [connection])
  return <div ref={host} className="size-full overflow-auto font-mono" />
}

async function loadFont(element: HTMLElement): Promise<void> {
  const { fontFamily } = getComputedStyle(element)
  try {
    await Promise.all([document.fonts.load(`13px ${fontFamily}`), document.fonts.load(`600 13px ${fontFamily}`)])
  } catch {
    // A font that does not load is replaced by the next of its family: the terminal works with that one.
  }
}
