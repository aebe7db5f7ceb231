import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { getMachine, listMachines } from '@/server/service/machines'
import { procedure, router } from '../trpc'

export const machines = router({
  list: procedure('read').query(({ ctx }) => listMachines(ctx)),
  get: procedure('read')
    .input(z.strictObject({ id: rowId }))
    .query(({ ctx, input }) => getMachine(ctx, input.id)),
})
