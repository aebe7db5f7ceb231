import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { readTerminal } from './read-terminal'

const LINES = 60_000

const END_OF_INPUT = '\x04'

/** A terminal on which lines are counted until its program ends, `then` other work of it; and what was read of it. */
function counting(lines: number, then = '') {
  const pty = spawn('/bin/sh', ['-c', `seq 1 ${lines}; ${then}`], { cols: 80, rows: 24, encoding: null })
  const pieces: Buffer[] = []
  const whole = Array.from({ length: lines }, (_, i) => `${i + 1}\r\n`).join('')
  const code = new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))
  return { pty, pieces, whole, ended: async () => ({ code: await code, text: Buffer.concat(pieces).toString() }) }
}

describe('reading a pseudo-terminal', () => {
  it('gives every byte in order, and nothing while it is paused', async () => {
    const { pty, pieces, whole, ended } = counting(LINES, 'exec cat')
    let [isPaused, whilePaused, rest] = [false, 0, whole.length]
    const isRead = readTerminal(pty, (bytes) => {
      if (isPaused) whilePaused += 1
      pieces.push(Buffer.from(bytes))
      rest -= bytes.byteLength
      // It must not end before: what is left then is read at once, paused or not.
      if (rest === 0) pty.write(END_OF_INPUT)
      if (rest === 0 || pieces.length % 50 !== 0) return
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
