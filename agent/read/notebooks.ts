import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { LIMITS } from '@/domain/limits'
import { isNotebookPath, NOTEBOOK_FOLDERS_MAX, type NotebookList } from '@/protocol/notebooks'
import { openWorkspaces } from '../drivers/process/workspaces'
import { openPlain } from './stored-bytes'

// What lies in a workspace was made by its programs, which may exchange a folder for a link at any moment. So each step is
// taken from an open folder, by one name, and never through a link.

/** Names that are looked at for one list. */
const ENTRIES_MAX = 10_000
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

type Workspace = { dataDir: string; workloadId: string }
type Found = NotebookList['notebooks'][number]

/** The notebooks that were saved in a workspace, whether it runs or not; null when this machine has no such workspace. */
export async function listNotebooks(of: Workspace, signal: AbortSignal): Promise<NotebookList | null> {
  const root = await openRoot(of)
  if (!root) return null
  const walk: Walk = { found: [], entries: 0, signal }
  await root.close()
  let folders: string[][] = [[]]
  // Folder by folder downwards: what lies near the top is found before a deep tree has used up the bound.
  for (let depth = 0; depth <= NOTEBOOK_FOLDERS_MAX && folders.length > 0; depth += 1) {
    const below: string[][] = []
    for (const names of folders) below.push(...(await look(of, names, walk)))
    folders = below
  }
  const isComplete = walk.entries < ENTRIES_MAX && walk.found.length <= LIMITS.notebooksMax
  const newest = walk.found.sort((a, b) => b.at.localeCompare(a.at))
  return { notebooks: newest.slice(0, LIMITS.notebooksMax), isComplete }
}

/** Opens one notebook; null when there is no such plain file. The caller closes it. */
export async function openNotebook(of: Workspace, path: string): Promise<FileHandle | null> {
  if (!isNotebookPath(path)) return null
  const names = path.split('/')
  const folder = await openFolder(of, names.slice(0, -1))
  if (!folder) return null
  try {
    return await openPlain(inside(folder, names.at(-1) ?? ''))
  } finally {
    await folder.close()
  }
}

type Walk = { found: Found[]; entries: number; signal: AbortSignal }

/** Adds the notebooks of one folder to what was found; returns the folders in it. */
async function look(of: Workspace, names: string[], walk: Walk): Promise<string[][]> {
  const isOver = walk.signal.aborted || walk.entries >= ENTRIES_MAX
  const folder = isOver ? null : await openFolder(of, names)
  if (!folder) return []
  const below: string[][] = []
  try {
    for await (const entry of await opendir(inside(folder, '.'))) {
      walk.entries += 1
      if (walk.entries >= ENTRIES_MAX) break
      const all = [...names, entry.name]
      if (entry.isDirectory() && !entry.name.startsWith('.')) below.push(all)
      const found = entry.isFile() && isNotebookPath(all.join('/')) ? await factsOf(folder, all) : null
      if (found) walk.found.push(found)
    }
  } catch {
    // it was taken away while it was read, or may not be entered: what was found so far counts
  } finally {
    await folder.close()
  }
  return below
}

async function factsOf(folder: FileHandle, names: string[]): Promise<Found | null> {
  const facts = await lstat(inside(folder, names.at(-1) ?? '')).catch(() => null)
  const path = names.join('/')
  if (!facts?.isFile() || path.length > LIMITS.pathChars) return null
  return { path, at: facts.mtime.toISOString(), bytes: facts.size }
}

/** A folder of the workspace, reached name by name. Null where one of them is a link, or not there. */
async function openFolder(of: Workspace, names: readonly string[]): Promise<FileHandle | null> {
  let folder = await openRoot(of)
  for (const name of names) {
    const above: FileHandle | null = folder
    if (!above) return null
    folder = await open(inside(above, name), FOLDER).catch(() => null)
    await above.close()
  }
  return folder
}

function openRoot({ dataDir, workloadId }: Workspace): Promise<FileHandle | null> {
  return open(openWorkspaces(dataDir).dir(workloadId), FOLDER).catch(() => null)
}

/** A name within this very folder, wherever it lies by now. */
function inside(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`
}
