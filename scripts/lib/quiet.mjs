// What Next says about itself belongs to the log: the terminal is for the steps, the link, and what went wrong.
import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** From now on what is written to `stream` goes to `<home>/logs/web.log`, a JSON line each time, and not to the terminal. */
export function keepToFile(stream, home) {
  const folder = path.join(home, 'logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  stream.write = (chunk, encoding, done) => {
    const msg = String(chunk).trim()
    const line = JSON.stringify({ level: 30, time: new Date().toISOString(), process: 'next', msg })
    if (msg) append(path.join(folder, 'web.log'), `${line}\n`)
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback) process.nextTick(callback)
    return true
  }
}

function append(file, text) {
  try {
    appendFileSync(file, text, { mode: 0o600 })
  } catch {
    // A full disk must not end what serves.
  }
}
