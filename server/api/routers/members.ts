import { listMembers } from '@/server/service/members'
import { procedure, router } from '../trpc'

export const members = router({
  list: procedure('read').query(({ ctx }) => listMembers(ctx)),
})
