import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** A process, told apart from a later one with the same number by when it began. */
const holder = z.object({ pid: z.int().min(1), startedAt: z.string(), bootId: z.string() })
type Holder = z.infer<typeof holder>
const TRIES = 5

/**
 * Takes the data directory for this process: `<dir>/lock` names who holds it. A lock whose process is gone (killed, or
 * the machine rebooted) is taken over; a living one is refused with one sentence. Returns what gives it back.
 */
export function lockDataDirectory(directory: string): () => void {
  const file = path.join(directory, 'lock')
  const mine = JSON.stringify(identify(process.pid))
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (claim(file, mine)) return () => release(file, mine)
    const seen = readIfThere(file)
    if (seen === null) continue
    const other = parse(seen)
    if (other && isAlive(other))
      throw new Error(`another Berth (process ${other.pid}) uses the data directory ${directory}; stop it first`)
    removeStale(file, seen)
  }
  throw new Error(`the data directory ${directory} could not be locked; another Berth is starting there`)
}

/** Makes the lock in one step with its content, so that nobody ever reads half of one. */
function claim(file: string, content: string): boolean {
  const own = `${file}.${process.pid}`
  writeFileSync(own, content, { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Moves the stale lock away; when another process replaced it meanwhile, its lock is put back. */
function removeStale(file: string, seen: string): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (readFileSync(aside, 'utf8') !== seen) claim(file, readFileSync(aside, 'utf8'))
  rmSync(aside, { force: true })
}

function release(file: string, mine: string): void {
  if (readIfThere(file) === mine) rmSync(file, { force: true })
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function parse(text: string): Holder | null {
  try {
    return holder.parse(JSON.parse(text))
  } catch {
    return null // Not written by us: nobody holds it.
  }
}

function isAlive(other: Holder): boolean {
  const now = identify(other.pid)
  return now.startedAt !== '' && now.startedAt === other.startedAt && now.bootId === other.bootId
}

/** `startedAt` is empty for a process that is not there. */
function identify(pid: number): Holder {
  if (process.platform === 'linux') return { pid, startedAt: linuxStart(pid), bootId: bootId() }
  return { pid, startedAt: psStart(pid), bootId: '' }
}

/**
 * Field 22 of the process's stat, in clock ticks since boot; the name before it may hold spaces and brackets. One that has
 * ended and whose parent did not ask how (state Z) holds nothing any more.
 */
function linuxStart(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

function bootId(): string {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

function psStart(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return '' // ps says by its exit code that there is no such process.
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}
