import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReadSource } from '@/protocol/read'
import { instancePaths } from '../host/host-launch'
import { type RecordTime, readTimes, TIMES_BYTES_MAX, timesName } from '../host/record-times'
import { STOPPED_FILE, segmentName, segmentStart } from '../host/segment-log'
import { isOwnFolder, type Kept, namesIn } from './kept'

/** One file of a source and the bytes that it holds now. */
export type Part = { path: string; start: number; end: number; timesPath: string | null }

/**
 * What is on disk of one source of one start, oldest first: the segments of a log, or the one file of a build. Null when
 * nothing was kept of it. Links are never followed: a folder or file that is one does not exist.
 */
export async function partsOf(kept: Kept, source: ReadSource): Promise<Part[] | null> {
  const paths = instancePaths(kept.dir)
  if (source === 'build') return buildPart(paths.buildLog)
  const dir = source === 'terminal' ? paths.recordDir : paths.serviceDir
  if (!(await isOwnFolder(dirname(dir))) || !(await isOwnFolder(dir))) return null
  const starts = (await namesIn(dir)).map(segmentStart).filter((start) => start !== null)
  const parts = await Promise.all(starts.sort((a, b) => a - b).map((start) => segmentPart(dir, start)))
  return parts.filter((part) => part !== null)
}

/** The byte at which this source stopped for want of room, when it did; what was printed after it may be there again. */
export async function stoppedAt(kept: Kept, source: ReadSource): Promise<number | null> {
  const paths = instancePaths(kept.dir)
  if (source === 'build') return null
  const file = await openPlain(join(source === 'terminal' ? paths.recordDir : paths.serviceDir, STOPPED_FILE))
  if (!file) return null
  try {
    const text = (await file.readFile('latin1')).slice(0, 16)
    return /^\d{16}$/.test(text) ? Number(text) : null
  } finally {
    await file.close()
  }
}

/** Opens a file of a source; null when it is gone or no plain file. The caller closes it. */
export async function openPlain(path: string): Promise<FileHandle | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (!file) return null
  if ((await file.stat()).isFile()) return file
  await file.close()
  return null
}

/** When the bytes of a part were printed; empty where that is not known. */
export async function timesOf(part: Part): Promise<RecordTime[]> {
  const file = part.timesPath === null ? null : await openPlain(part.timesPath)
  if (!file) return []
  try {
    const bytes = Buffer.alloc(Math.min(TIMES_BYTES_MAX, (await file.stat()).size))
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, 0)
    return readTimes(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

async function buildPart(path: string): Promise<Part[] | null> {
  if (!(await isOwnFolder(dirname(path)))) return null
  const part = await sized({ path, start: 0, timesPath: null })
  return part && [part]
}

function segmentPart(dir: string, start: number): Promise<Part | null> {
  return sized({ path: join(dir, segmentName(start)), start, timesPath: join(dir, timesName(start)) })
}

async function sized(part: Omit<Part, 'end'>): Promise<Part | null> {
  const file = await openPlain(part.path)
  if (!file) return null
  try {
    return { ...part, end: part.start + (await file.stat()).size }
  } finally {
    await file.close()
  }
}
