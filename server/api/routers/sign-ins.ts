import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { listSignIns, revokeOtherSignIns, revokeSignIn } from '@/server/service/sign-ins'
import { procedure, router } from '../trpc'

export const signIns = router({
  list: procedure('browser').query(({ ctx }) => listSignIns(ctx)),
  revoke: procedure('browser')
    .input(z.strictObject({ id: rowId }))
    .mutation(({ ctx, input }) => revokeSignIn(ctx, input.id)),
  revokeOthers: procedure('browser').mutation(({ ctx }) => revokeOtherSignIns(ctx)),
})
