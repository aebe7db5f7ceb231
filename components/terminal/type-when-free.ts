import type { TerminalConnection } from './connection'

/**
 * A window that came to type and found the keyboard held, by a window that was just closing, types once nobody does. It
 * asks no more after it had control or lost a claim: from then on only the person decides.
 */
export function typeWhenFree(connection: TerminalConnection): () => void {
  let isWaiting = true
  const forget = [
    connection.on('mode', ({ mode, wasRefused }) => {
      if (mode === 'control' || wasRefused) isWaiting = false
    }),
    connection.on('presence', ({ controller }) => {
      if (isWaiting && controller === null && connection.mode === 'view') connection.claim()
    }),
  ]
  return () => {
    for (const undo of forget) undo()
  }
}
