import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import { hostPath } from '@/domain/mounts'
import { giveUpMachine } from '@/server/service/machine-gone'
import { clearSuspect, getMachine, listMachines, setMountRoots } from '@/server/service/machines'
import { adoptOrphan, stopOrphan } from '@/server/service/orphans'
import { procedure, router } from '../trpc'

const roots = z.array(hostPath).max(LIMITS.mountRootsMax, `at most ${LIMITS.mountRootsMax} folders`)
/** Something that runs on a machine and that the store does not know. */
const orphan = z.strictObject({ machineId: rowId, placementId: rowId })

export const machines = router({
  list: procedure('read').query(({ ctx }) => listMachines(ctx)),
  get: procedure('read')
    .input(z.strictObject({ id: rowId }))
    .query(({ ctx, input }) => getMachine(ctx, input.id)),
  setMountRoots: procedure('admin')
    .input(z.strictObject({ id: rowId, roots }))
    .mutation(({ ctx, input }) => setMountRoots(ctx, input.id, input.roots)),
  clearSuspect: procedure('admin')
    .input(z.strictObject({ id: rowId }))
    .mutation(({ ctx, input }) => clearSuspect(ctx, input.id)),
  gone: procedure('admin')
    .input(z.strictObject({ id: rowId }))
    .mutation(({ ctx, input }) => giveUpMachine(ctx, input.id)),
  adopt: procedure('admin')
    .input(orphan)
    .mutation(({ ctx, input }) => adoptOrphan(ctx, input)),
  stopOrphan: procedure('admin')
    .input(orphan)
    .mutation(({ ctx, input }) => stopOrphan(ctx, input)),
})
