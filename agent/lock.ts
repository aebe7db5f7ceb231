import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { processStart } from './process-start'

/** Another process holds the lock of this folder. */
export class LockHeld extends Error {
  readonly pid: number
  constructor(pid: number) {
    super(`another agent (process ${pid}) serves this machine`)
    this.name = 'LockHeld'
    this.pid = pid
  }
}

export type Lock = { release(): void }

/**
 * Takes the folder for this process, or throws LockHeld. Holders are files `lock.<n>`; the highest number counts, and it
 * holds while its process lives (pid, kernel start time and boot id). A dead holder has exactly one successor: `link`
 * creates `lock.<n+1>` whole or fails, and the highest number never falls, so that somebody who looked too long ago finds
 * a higher one and steps back. No file is ever taken from a living process.
 */
export function takeLock(folder: string, bootId: string): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const top = highest(folder)
    const holder = top === 0 ? null : livingHolder(folder, { number: top, bootId })
    if (holder !== null) throw new LockHeld(holder)
    if (!claim(folder, { number: top + 1, bootId })) continue
    if (highest(folder) === top + 1) return held(folder, { number: top + 1, bootId })
    rmSync(fileOf(folder, top + 1), { force: true })
  }
  throw new Error('the lock of the agent changes hands all the time')
}

const TRIES_MAX = 100
type Numbered = { number: number; bootId: string }
const holderFile = z.strictObject({ pid: z.int().min(0), start: z.string(), bootId: z.string() })

const fileOf = (folder: string, number: number) => join(folder, `lock.${number}`)

function highest(folder: string): number {
  const numbers = readdirSync(folder).map((name) => Number(/^lock\.(\d{1,12})$/.exec(name)?.[1] ?? 0))
  return Math.max(0, ...numbers)
}

/** The pid of a living holder; null when it ended, was released, or lived in another boot. */
function livingHolder(folder: string, { number, bootId }: Numbered): number | null {
  const holder = readHolder(fileOf(folder, number))
  if (!holder || holder.bootId !== bootId || holder.pid === 0) return null
  return processStart(holder.pid) === holder.start ? holder.pid : null
}

function readHolder(path: string): z.infer<typeof holderFile> | null {
  try {
    return holderFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // it is written whole before it is linked: a damaged one is older than a power loss, or was swept away
  }
}

function claim(folder: string, { number, bootId }: Numbered): boolean {
  const temporary = writeHolder(folder, { pid: process.pid, start: processStart(process.pid) ?? '', bootId })
  try {
    linkSync(temporary, fileOf(folder, number))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function held(folder: string, { number, bootId }: Numbered): Lock {
  for (let below = number - 1; below > 0 && below > number - 50; below--) rmSync(fileOf(folder, below), { force: true })
  return { release: () => renameSync(writeHolder(folder, { pid: 0, start: '', bootId }), fileOf(folder, number)) }
}

function writeHolder(folder: string, holder: z.infer<typeof holderFile>): string {
  const temporary = join(folder, `holder.${process.pid}.${Math.random().toString(36).slice(2)}`)
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}
