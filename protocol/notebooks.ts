import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'

/** Folders that a notebook may lie below one another in a workspace; what lies deeper is not listed. */
export const NOTEBOOK_FOLDERS_MAX = 6

/** The place of a notebook in its workspace: `folder/name.ipynb`, nothing hidden and nothing that leads out. */
const notebookPath = z.string().max(LIMITS.pathChars).refine(isNotebookPath, 'a notebook of this workspace')

/** `POST /v1/notebooks`, controller → agent: the saved notebooks of a workspace, or the bytes of one; also of a parked workload. */
export const notebooksAsk = z.strictObject({
  workloadId: rowId,
  /** Null: the list of them, as `NotebookList` in JSON. */
  path: notebookPath.nullable(),
})
export type NotebooksAsk = z.infer<typeof notebooksAsk>

/** Newest first. `isComplete` is false where there are more than were looked for. `at`: when it was last saved. */
export type NotebookList = { notebooks: { path: string; at: string; bytes: number }[]; isComplete: boolean }

/** Pure. Folders and files whose name begins with a dot are a program's own: checkpoints, kernels, settings. */
export function isNotebookPath(path: string): boolean {
  const names = path.split('/')
  const isPlain = names.every((name) => name !== '' && !name.startsWith('.') && !name.includes('\0'))
  return isPlain && names.length <= NOTEBOOK_FOLDERS_MAX + 1 && path.endsWith('.ipynb')
}
