import { statfs } from 'node:fs/promises'

const FULL_BYTES = 64 * 2 ** 20

/** Is the disk that holds this folder full, for the purpose of explaining a failure? */
export async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize < FULL_BYTES
}
