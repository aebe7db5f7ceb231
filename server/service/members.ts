import { listMembers as listRows, type MemberRow } from '@/server/store/members'
import type { Ctx } from './ctx'

/** The people of this tenant: whom a workload can be shared with. */
export async function listMembers(ctx: Ctx): Promise<MemberRow[]> {
  return listRows(ctx.db, ctx.tenantId)
}
