import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'

let counter = 0

/** Writes a file whole or not at all: temporary file, fsync, rename. Mode 0600, its folder 0700. */
export async function writeFileWhole(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  counter += 1
  const temporary = `${path}.${process.pid}.${counter}.tmp`
  try {
    await writeSynced(temporary, content)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a value as JSON, whole or not at all. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await writeFileWhole(path, `${JSON.stringify(value)}\n`)
}

/** Reads a JSON file through its schema; null when it is not there. Throws when it is damaged. */
export async function readJsonFile<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S> | null> {
  const text = await readTextFile(path)
  return text === null ? null : schema.parse(JSON.parse(text))
}

/** The text of a file, or null when it is not there. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Did a write fail because the disk has no room? */
export function isDiskFullError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

/** Did a look fail because there is no such file? */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
