/**
 * Calls back when this tab comes to the front or the browser is online again: a connection then does not wait for a
 * timer that was slowed in the background. Does nothing outside a browser. Returns the function that ends it.
 */
export function onBrowserWake(listener: () => void): () => void {
  const wake = () => {
    if (globalThis.document?.visibilityState !== 'hidden') listener()
  }
  globalThis.document?.addEventListener('visibilitychange', wake)
  globalThis.window?.addEventListener('online', wake)
  return () => {
    globalThis.document?.removeEventListener('visibilitychange', wake)
    globalThis.window?.removeEventListener('online', wake)
  }
}
