import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { SHARE_LEVELS } from '@/domain/permissions'
import { listShares, removeShare, setShare } from '@/server/service/shares'
import { procedure, router } from '../trpc'

/** A person of the tenant, or null for everyone in it. */
const whom = z.strictObject({ workloadId: rowId, userId: rowId.nullable() })

export const shares = router({
  list: procedure('read')
    .input(z.strictObject({ workloadId: rowId }))
    .query(({ ctx, input }) => listShares(ctx, input.workloadId)),
  set: procedure('admin')
    .input(whom.extend({ level: z.enum(SHARE_LEVELS) }))
    .mutation(({ ctx, input }) => setShare(ctx, input)),
  remove: procedure('admin')
    .input(whom)
    .mutation(({ ctx, input }) => removeShare(ctx, input)),
})
