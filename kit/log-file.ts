import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type pino from 'pino'

/** One file and the one before it: at most twice this for each process. */
const FILE_BYTES_MAX = 10 * 2 ** 20
const ERROR_LEVEL = 50

export type LogFile = pino.DestinationStream
type Options = { bytesMax?: number; tell?: (line: string) => void }

/**
 * A destination that appends to `file` (0600, in a 0700 folder) and moves it to `<file>.1` when it is full. An error is also
 * told in one short line on standard error, for the person at the terminal, and not again while it is the same. Never throws:
 * a full disk ends no process.
 */
export function openLogFile(file: string, options: Options = {}): LogFile {
  const bytesMax = options.bytesMax ?? FILE_BYTES_MAX
  const tell = options.tell ?? ((line) => process.stderr.write(line))
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  let size = sizeOf(file)
  let lastTold: string | null = null
  return {
    write(line) {
      if (size > bytesMax) size = turn(file)
      size += append(file, line)
      const error = asError(line)
      if (error && error !== lastTold) tell(`${onOneLine(error)} (more in ${file})\n`)
      lastTold = error ?? lastTold
    },
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function turn(file: string): number {
  try {
    renameSync(file, `${file}.1`)
  } catch {
    // Another process of the same name turned it just now.
  }
  return sizeOf(file)
}

function append(file: string, line: string): number {
  try {
    appendFileSync(file, line, { mode: 0o600 })
  } catch {
    // No room for a log is no reason to stop serving.
  }
  return Buffer.byteLength(line)
}

/** Text of elsewhere sends nothing to the terminal of whoever started Berth: what would move its cursor is a blank. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** `process: message: cause` of a line at level error or above, else null. The level stands first in each line. */
function asError(line: string): string | null {
  const level = Number(/^\{"level":(\d+),/.exec(line)?.[1] ?? 0)
  if (level < ERROR_LEVEL) return null
  const { process: name, msg, error } = JSON.parse(line)
  const cause = typeof error?.message === 'string' ? `: ${error.message}` : ''
  return `${name}: ${msg}${cause}`
}
