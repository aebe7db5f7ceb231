import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { rowId } from '@/domain/ids'
import { wrongInput } from '@/domain/issue-words'
import type { Purpose } from '@/domain/tickets'
import { type NotebooksAsk, notebooksAsk } from '@/protocol/notebooks'
import { type ReadAsk, readAsk, type SearchAsk, searchAsk } from '@/protocol/read'

/** A question at the data host, less the workload, which its ticket names. */
export type Asked = { purpose: Purpose } & (
  | { kind: 'read'; ask: Omit<ReadAsk, 'workloadId'> }
  | { kind: 'search'; ask: Omit<SearchAsk, 'workloadId'> }
  | { kind: 'notebooks'; ask: Omit<NotebooksAsk, 'workloadId'> }
)
type Given = { fields: unknown; isForm: boolean }

const placementId = rowId.nullable().default(null)
const logSource = z.enum(['output', 'build'])
const logs = z.strictObject({
  ...{ source: logSource, placementId },
  tailBytes: readAsk.shape.tailBytes.default(null),
  isFollowed: readAsk.shape.isFollowed.default(false),
})
/** Forms say everything in text; what a file is made of is the whole of it. */
const logsForm = z.strictObject({ source: logSource, placementId })
const record = z.strictObject({ format: readAsk.shape.format, placementId })
/** Null: the list. No form: what comes is for the dashboard's page, never a file or a page of its own. */
const saved = z.strictObject({ path: notebooksAsk.shape.path.default(null) })
const searched = z.strictObject({ ...searchAsk.omit({ workloadId: true }).shape, placementId })

/** Paths of the data host, and what each asks for. Errors: invalid. */
export const READ_PATHS: Readonly<Record<string, (given: Given) => Asked>> = {
  '/logs': ({ fields, isForm }) => {
    const asked = isForm ? { ...parse(logsForm, fields), tailBytes: null, isFollowed: false } : parse(logs, fields)
    return { purpose: 'logs', kind: 'read', ask: { ...asked, format: 'raw' } }
  },
  '/record': ({ fields }) => {
    const ask = { ...parse(record, fields), source: 'terminal' as const, tailBytes: null, isFollowed: false }
    return { purpose: 'record', kind: 'read', ask }
  },
  '/outputs': ({ fields, isForm }) => {
    if (isForm) throw new AppError('invalid', { field: 'content-type', limit: 'application/json' })
    return { purpose: 'outputs', kind: 'notebooks', ask: parse(saved, fields) }
  },
  '/search': ({ fields }) => {
    const ask = parse(searched, fields)
    return { purpose: ask.source === 'terminal' ? 'record' : 'logs', kind: 'search', ask }
  },
}

function parse<S extends z.ZodType>(schema: S, fields: unknown): z.infer<S> {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  throw new AppError('invalid', wrongInput(parsed.error))
}
