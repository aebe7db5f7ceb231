import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../../json-file'

/** Uids of sandboxes of a root agent begin here: below are people and services of the machine. */
export const FIRST_UID = 20_000
const LAST_UID = 59_999

const uidFile = z.strictObject({
  version: z.literal(1),
  next: z
    .int()
    .min(FIRST_UID)
    .max(LAST_UID + 1),
  uids: z.record(z.string(), z.int().min(FIRST_UID).max(LAST_UID)),
})
type UidFile = z.infer<typeof uidFile>

/** One uid per (tenant, person), given once and kept for ever: files on this machine carry it. */
export type Uids = {
  of(tenantId: string, ownerId: string): Promise<number>
  /** Builds of a tenant's environments have a uid of their own, so that no person owns what others will run. */
  ofBuilds(tenantId: string): Promise<number>
}

/** A damaged file is an error: handing out a uid twice would show one person's files to another. */
export function openUids(path: string): Uids {
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = (key: string): Promise<number> => {
    const result = queue.then(() => uidOf(path, key))
    queue = result.catch(() => undefined)
    return result
  }
  return {
    of: (tenantId, ownerId) => inTurn(`${tenantId}/${ownerId}`),
    ofBuilds: (tenantId) => inTurn(`${tenantId}/builds`),
  }
}

async function uidOf(path: string, key: string): Promise<number> {
  const file: UidFile = (await readJsonFile(path, uidFile)) ?? { version: 1, next: FIRST_UID, uids: {} }
  const known = file.uids[key]
  if (known !== undefined) return known
  const uid = file.next
  if (uid > LAST_UID) throw new Error('every uid for sandboxes of this machine is taken')
  await writeJsonFile(path, { ...file, next: uid + 1, uids: { ...file.uids, [key]: uid } } satisfies UidFile)
  return uid
}
