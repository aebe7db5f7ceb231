import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** One line of the audit: a decision, or the end of what was allowed with the bytes of both directions. */
export type AuditLine = {
  id: string
  verb: 'CONNECT' | 'HTTP'
  host: string
  port: number
  decision: 'allow' | 'deny' | 'deny_private' | 'error' | 'closed'
  reason: string | null
  address: string | null
  up?: number
  down?: number
  ms?: number
}
export type Audit = { write(line: AuditLine): void; close(): void }

const FILE_BYTES_MAX = 8 * 2 ** 20
const FILES_MAX = 4

/** JSON lines in `audit.jsonl`, rotated by size to `.1` … `.3`; 0600. */
export function openAudit(dir: string, options: { now: () => Date; fileBytesMax?: number }): Audit {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'audit.jsonl')
  const open = () => openSync(path, 'a', 0o600)
  let size = sizeOf(path)
  let file: number | null = open()
  const append = (text: string) => {
    if (file === null) return
    if (size + text.length > (options.fileBytesMax ?? FILE_BYTES_MAX)) {
      closeSync(file)
      rotate(path)
      file = open()
      size = 0
    }
    size += text.length
    writeSync(file, text)
  }
  return {
    write: (line) => {
      try {
        append(`${JSON.stringify({ at: options.now().toISOString(), ...line })}\n`)
      } catch {
        // A full disk loses audit lines; it must not cut the streams of everybody on the machine.
      }
    },
    close: () => {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

function rotate(path: string): void {
  rmSync(`${path}.${FILES_MAX - 1}`, { force: true })
  for (let n = FILES_MAX - 2; n >= 1; n--) if (sizeOf(`${path}.${n}`) > 0) renameSync(`${path}.${n}`, `${path}.${n + 1}`)
  renameSync(path, `${path}.1`)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
