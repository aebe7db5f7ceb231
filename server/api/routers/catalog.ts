import { procedure, router } from '../trpc'

export const catalog = router({
  get: procedure('read').query(({ ctx }) => ctx.catalog),
})
