/** How far a finger moves before it scrolls instead of taps. */
const SLOP_PX = 6

/**
 * Lets a finger scroll the terminal: moves become wheel events, so that scrollback, alternate screen and programs that
 * take the mouse all behave as with a wheel. Returns how to undo it.
 */
export function forwardTouchScroll(host: HTMLElement): () => void {
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
    const target = host.querySelector('.xterm-screen') ?? host
    const { clientX, clientY } = touch
    target.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX, clientY, bubbles: true, cancelable: true }))
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
