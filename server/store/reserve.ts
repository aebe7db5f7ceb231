import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, statSync, truncateSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { LIMITS } from '@/domain/limits'
import type { DatabasePlace } from './url'

const CHUNK_BYTES = 2 ** 20

/**
 * Room beside a SQLite database that nothing else can take: a file of bytes. Once the disk was full it is given up, so
 * that work can still be stopped and access revoked, and stays there as an empty file until there is room for a new one.
 */
function reserveFile(file: string): string {
  return `${file}.reserve`
}

/** Gives the reserve up; the database found its disk full. */
export function spendReserve(place: DatabasePlace): void {
  if (place.provider !== 'sqlite' || !existsSync(reserveFile(place.file))) return
  truncateSync(reserveFile(place.file))
}

/** Was the disk full, and is there no new reserve yet? */
export function isReserveSpent(place: DatabasePlace): boolean {
  if (place.provider !== 'sqlite') return false
  return statSync(reserveFile(place.file), { throwIfNoEntry: false })?.size === 0
}

/** Makes the reserve where there is none and twice its size stays free. Returns whether there is one. */
export async function keepReserve(place: DatabasePlace, bytes: number = LIMITS.reserveBytes): Promise<boolean> {
  if (place.provider !== 'sqlite') return true
  const target = reserveFile(place.file)
  if ((statSync(target, { throwIfNoEntry: false })?.size ?? 0) > 0) return true
  const { bavail, bsize } = await statfs(path.dirname(target))
  if (bavail * bsize < 3 * bytes) return false
  const temporary = `${target}-${randomUUID()}`
  try {
    await fill(temporary, bytes)
    await rename(temporary, target)
    return true
  } catch {
    await rm(temporary, { force: true }) // somebody else took the room meanwhile: there is no reserve yet, which is the answer
    return false
  }
}

/** Bytes that no disk can pack away. */
async function fill(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    for (let left = bytes; left > 0; left -= CHUNK_BYTES) await handle.write(randomBytes(Math.min(left, CHUNK_BYTES)))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
