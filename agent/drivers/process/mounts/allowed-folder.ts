import { realpath, stat } from 'node:fs/promises'
import { type FolderCause, SYSTEM_FOLDERS } from '@/domain/folder-causes'
import { isWithin } from '@/domain/paths'

/** Where folders of the machine may be shown from. */
export type FolderRules = {
  /** Folders below which everything lies that may be shown, as the controller names them. */
  roots: readonly string[]
  /** Folders of Berth itself: neither they nor what contains them is ever shown. */
  own: readonly string[]
}
/** Why a folder is not shown: its cause, and the same in one sentence for the log. */
export type Forbidden = { cause: FolderCause; why: string }
/** A folder as it really is, or why it is not shown. */
export type Checked = { folder: string } | Forbidden

/** Resolves every link and then judges the real path: what a link leads to is what would be shown. */
export async function allowedFolder(path: string, rules: FolderRules): Promise<Checked> {
  const folder = await realpath(path).catch(() => null)
  const found = folder === null ? null : await stat(folder).catch(() => null)
  if (folder === null || found === null) return { cause: 'missing', why: 'it is not there' }
  if (!found.isDirectory()) return { cause: 'not_a_folder', why: 'it is no folder' }
  const [roots, own] = await Promise.all([reals(rules.roots), reals(rules.own)])
  return whyForbidden(folder, { roots, own }) ?? { folder }
}

/** Pure: why a folder may not be shown; every path is real already. */
export function whyForbidden(folder: string, { roots, own }: FolderRules): Forbidden | null {
  const touches = (other: string) => isWithin(folder, other) || isWithin(other, folder)
  if (own.some(touches)) return { cause: 'of_berth', why: 'it holds files of Berth, or is one of them' }
  if (SYSTEM_FOLDERS.some(touches)) return { cause: 'of_the_system', why: 'it belongs to the system' }
  if (roots.some((root) => isWithin(folder, root))) return null
  return { cause: 'not_allowed', why: `it really is ${folder}, outside the allowed folders` }
}

/** What does not exist allows nothing and hides nothing. */
async function reals(paths: readonly string[]): Promise<string[]> {
  const all = await Promise.all(paths.map((path) => realpath(path).catch(() => null)))
  return all.filter((path) => path !== null)
}
