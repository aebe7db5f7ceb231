import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What a file holds, or which names a folder has, outlives a loss of power from here on. */
export function syncToDisk(place: string): void {
  const handle = openSync(place, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
