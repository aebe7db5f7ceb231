/** How far a finger moves before it scrolls instead of taps. */
const SLOP_PX = 6

/**
 * Lets a finger scroll the terminal. `scroll` moves the scrollback by so many pixels, or says false where there is none
 * (a full-screen program): the move is then handed to the program as a wheel. Returns how to undo it.
 */
export function forwardTouchScroll(host: HTMLElement, scroll: (deltaPx: number) => boolean): () => void {
  let lastY: number | null = null
  let hasMoved = false
  const onStart = (event: TouchEvent) => {
    lastY = event.touches.length === 1 ? (event.touches[0]?.clientY ?? null) : null
    hasMoved = false
  }
  const onMove = (event: TouchEvent) => {
    const touch = event.touches[0]
    if (lastY === null || !touch) return
    const deltaY = lastY - touch.clientY
    if (!hasMoved && Math.abs(deltaY) < SLOP_PX) return
    hasMoved = true
    lastY = touch.clientY
    event.preventDefault()
    if (scroll(deltaY)) return
    const { clientX, clientY } = touch
    const wheel = new WheelEvent('wheel', { deltaY, clientX, clientY, bubbles: true, cancelable: true })
    host.querySelector('.xterm-screen')?.dispatchEvent(wheel)
  }
  const onEnd = () => {
    lastY = null
  }
  host.addEventListener('touchstart', onStart, { passive: true })
  host.addEventListener('touchmove', onMove, { passive: false })
  host.addEventListener('touchend', onEnd)
  host.addEventListener('touchcancel', onEnd)
  return () => {
    host.removeEventListener('touchstart', onStart)
    host.removeEventListener('touchmove', onMove)
    host.removeEventListener('touchend', onEnd)
    host.removeEventListener('touchcancel', onEnd)
  }
}
