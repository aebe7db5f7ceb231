import { realpath, stat } from 'node:fs/promises'
import { isWithin } from '@/domain/paths'

/** Where folders of the machine may be shown from. */
export type FolderRules = {
  /** Folders below which everything lies that may be shown, as the controller names them. */
  roots: readonly string[]
  /** Folders of Berth itself: neither they nor what contains them is ever shown. */
  own: readonly string[]
}
/** A folder as it really is, or in one sentence why it is not shown. */
export type Checked = { folder: string } | { why: string }

/** Kernel interfaces, devices and sockets of the machine. */
const NEVER = ['/proc', '/sys', '/dev', '/run']

/** Resolves every link and then judges the real path: what a link leads to is what would be shown. */
export async function allowedFolder(path: string, rules: FolderRules): Promise<Checked> {
  const folder = await realpath(path).catch(() => null)
  const found = folder === null ? null : await stat(folder).catch(() => null)
  if (folder === null || found === null) return { why: 'it is not there' }
  if (!found.isDirectory()) return { why: 'it is no folder' }
  const [roots, own] = await Promise.all([reals(rules.roots), reals(rules.own)])
  const why = whyForbidden(folder, { roots, own })
  return why === null ? { folder } : { why }
}

/** Pure: why a folder may not be shown; every path is real already. */
export function whyForbidden(folder: string, { roots, own }: FolderRules): string | null {
  const touches = (other: string) => isWithin(folder, other) || isWithin(other, folder)
  if (own.some(touches)) return 'it holds files of Berth, or is one of them'
  if (NEVER.some(touches)) return 'it belongs to the system'
  return roots.some((root) => isWithin(folder, root)) ? null : `it really is ${folder}, outside the allowed folders`
}

/** What does not exist allows nothing and hides nothing. */
async function reals(paths: readonly string[]): Promise<string[]> {
  const all = await Promise.all(paths.map((path) => realpath(path).catch(() => null)))
  return all.filter((path) => path !== null)
}
