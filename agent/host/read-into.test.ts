import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { readInto } from './read-into'

const LINES = 60_000

describe('a pseudo-terminal that is read into one buffer', () => {
  it('gives every byte in order before its end, and nothing while it is paused', async () => {
    const pty = spawn('seq', ['1', String(LINES)], { cols: 80, rows: 24, encoding: null })
    const pieces: Buffer[] = []
    let [isPaused, whilePaused] = [false, 0]
    const isFast = readInto(pty, (bytes) => {
      if (isPaused) whilePaused += 1
      pieces.push(Buffer.from(bytes))
      if (pieces.length % 50 !== 0) return
      isPaused = true
      pty.pause()
      setImmediate(() => {
        isPaused = false
        pty.resume()
      })
    })
    expect(isFast).toBe(true)
    const code = await new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))
    const printed = Buffer.concat(pieces).toString()
    expect([code, whilePaused, pieces.length > 50]).toEqual([0, 0, true])
    expect(printed).toBe(Array.from({ length: LINES }, (_, i) => `${i + 1}\r\n`).join(''))
  })

  it('is declined where there is no such socket', () => {
    expect(readInto({}, () => undefined)).toBe(false)
    expect(readInto({ _socket: {} }, () => undefined)).toBe(false)
  })
})
