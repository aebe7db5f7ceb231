import { renameSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { prunedName } from './build-folder'

export type PruneRules = {
  /** So many environments stay, the most recently used first. */
  countMax: number
  /** One that was used since then stays: a start may be about to use it. */
  usedSinceMs: number
  /** Does an instance that may run have it? */
  isUsed: (path: string) => Promise<boolean>
}

/** Deletes the least recently used environments beyond the bound. What an instance has is never touched. */
export async function pruneEnvironments(folder: string, rules: PruneRules): Promise<string[]> {
  const keys = (await readdir(folder)).filter((name) => /^[0-9a-f]{40}$/.test(name))
  const all = await Promise.all(keys.map(async (key) => ({ key, usedMs: (await stat(join(folder, key))).mtimeMs })))
  const surplus = all.sort((a, b) => b.usedMs - a.usedMs).slice(rules.countMax)
  const pruned: string[] = []
  for (const { key, usedMs } of surplus) {
    const path = join(folder, key)
    if (usedMs >= rules.usedSinceMs || (await rules.isUsed(path))) continue
    // Looked at again in the step that takes it: it may have been taken into use while others were asked about it.
    if (statSync(path).mtimeMs >= rules.usedSinceMs) continue
    const gone = prunedName(folder, key)
    renameSync(path, gone)
    await rm(gone, { recursive: true, force: true })
    pruned.push(key)
  }
  return pruned
}
