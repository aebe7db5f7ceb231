import { firstAccountInput, setUp } from '@/server/auth/setup'
import { isSetupOpen } from '@/server/service/setup'
import { procedure, router } from '../trpc'

export const setup = router({
  status: procedure('anyone').query(async ({ ctx }) => ({ isOpen: await isSetupOpen(ctx.runtime) })),
  create: procedure('anyone')
    .input(firstAccountInput)
    .mutation(({ ctx, input }) => setUp(ctx.runtime, input)),
})
