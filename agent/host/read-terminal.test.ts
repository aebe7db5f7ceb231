import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { startTime } from './process-table'
import { readTerminal } from './read-terminal'

const LINES = 60_000

/** A terminal on which lines are counted, and what was read of it. */
function counting(lines: number) {
  const pty = spawn('seq', ['1', String(lines)], { cols: 80, rows: 24, encoding: null })
  const pieces: Buffer[] = []
  const whole = Array.from({ length: lines }, (_, i) => `${i + 1}\r\n`).join('')
  const code = new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))
  return { pty, pieces, whole, ended: async () => ({ code: await code, text: Buffer.concat(pieces).toString() }) }
}

describe('reading a pseudo-terminal', () => {
  it('gives every byte in order before the end, and nothing while it is paused', async () => {
    const { pty, pieces, whole, ended } = counting(LINES)
    let [isPaused, whilePaused] = [false, 0]
    const isRead = readTerminal(pty, (bytes) => {
      if (isPaused) whilePaused += 1
      pieces.push(Buffer.from(bytes))
      if (pieces.length % 50 !== 0 || startTime(pty.pid) === null) return
      isPaused = true
      pty.pause()
      setImmediate(() => {
        isPaused = false
        pty.resume()
      })
    })
    expect(isRead).toBe(true)
    expect(await ended()).toEqual({ code: 0, text: whole })
    expect([whilePaused, pieces.length > 50]).toEqual([0, true])
  })

  it('gives all that was printed when the program ended before anybody read', async () => {
    const { pty, pieces, whole, ended } = counting(5000)
    readTerminal(pty, (bytes) => pieces.push(Buffer.from(bytes)))
    pty.pause()
    expect(await ended()).toEqual({ code: 0, text: whole })
  })

  it('is left to events where there is no such socket', () => {
    expect(readTerminal({}, () => undefined)).toBe(false)
    expect(readTerminal({ fd: 1, _socket: {} }, () => undefined)).toBe(false)
  })
})
