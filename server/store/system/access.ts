import type { Role } from '@/domain/kinds'
import type { Relation } from '@/domain/permissions'
import type { Workload } from '@/domain/workloads'
import type { Tx } from '../db'
import { relationsTo } from '../shares'
import { findMember } from '../users'

/** What a person is to a workload now; null when they are not in its tenant any more. */
export type Access = { role: Role; relation: Relation; person: { id: string; name: string } }

/** Read again at every door: a share or membership that was taken back counts at once. */
export async function accessOf(db: Tx, workload: Workload, userId: string): Promise<Access | null> {
  const member = await findMember(db, workload.tenantId, userId)
  if (!member) return null
  const relations = await relationsTo(db, workload.tenantId, { userId, workloads: [workload] })
  return { role: member.role, relation: relations.get(workload.id) ?? 'other', person: { id: member.id, name: member.name } }
}
