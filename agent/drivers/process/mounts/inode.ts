import { stat } from 'node:fs/promises'

/** Names a folder, whatever its path; null when it cannot be looked at. */
export async function inodeOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found && `${found.dev}:${found.ino}`
}
