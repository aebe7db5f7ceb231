/** The part of a WebSocket that a terminal uses; the `ws` package fits too. */
export type TerminalSocket = Pick<WebSocket, 'binaryType' | 'bufferedAmount' | 'send' | 'close'> & {
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number }) => void) | null
  onerror: (() => void) | null
}

/** The browser's own. */
export function openTerminalSocket(url: string): TerminalSocket {
  return new WebSocket(url) as TerminalSocket
}
