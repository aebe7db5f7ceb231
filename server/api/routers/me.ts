import { z } from 'zod'
import { changePassword, changePasswordInput } from '@/server/auth/account'
import { getMe, setTheme, THEMES } from '@/server/service/me'
import { procedure, router } from '../trpc'

export const me = router({
  get: procedure('read').query(({ ctx }) => getMe(ctx)),
  setTheme: procedure('browser')
    .input(z.strictObject({ theme: z.enum(THEMES) }))
    .mutation(({ ctx, input }) => setTheme(ctx, input.theme)),
  changePassword: procedure('browser')
    .input(changePasswordInput)
    .mutation(({ ctx, input }) => changePassword(ctx.runtime, ctx, input)),
})
