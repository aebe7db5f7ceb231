import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { createOwnToken, ownTokenInput, signInForToken, tokenSignInInput } from '@/server/auth/account'
import { endOwnToken, listApiTokens, revokeApiToken } from '@/server/service/api-tokens'
import { procedure, router } from '../trpc'

export const tokens = router({
  list: procedure('admin').query(({ ctx }) => listApiTokens(ctx)),
  /** A token makes no other token, nor does a cookie alone: who has stolen one has only that. */
  create: procedure('browser')
    .input(ownTokenInput)
    .mutation(({ ctx, input }) => createOwnToken(ctx.runtime, ctx, input)),
  revoke: procedure('admin')
    .input(z.strictObject({ id: rowId }))
    .mutation(({ ctx, input }) => revokeApiToken(ctx, input.id)),
  /** Ends the token that asks. */
  end: procedure('write').mutation(({ ctx }) => endOwnToken(ctx)),
  signIn: procedure('anyone')
    .input(tokenSignInInput)
    .mutation(({ ctx, input }) => signInForToken(ctx.runtime, input)),
})
