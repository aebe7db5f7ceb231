import { addresses } from '@/domain/settings'
import { systemHealth } from '@/server/service/health'
import { isQuarantined, leaveQuarantine } from '@/server/service/quarantine'
import { isStorageFull } from '@/server/service/room'
import type { Context } from '../context'
import { procedure, router } from '../trpc'

export const system = router({
  info: procedure('read').query(async ({ ctx }) => {
    const [isHeld, isFull] = await Promise.all([isQuarantined(ctx), isStorageFull(ctx.db)])
    return { ...infoOf(ctx.runtime), isQuarantined: isHeld, isStorageFull: isFull }
  }),
  health: procedure('read').query(({ ctx }) => systemHealth(ctx)),
  leaveQuarantine: procedure('admin').mutation(({ ctx }) => leaveQuarantine(ctx)),
})

/** What a page needs to know of this installation: its version, and where live bytes come from. */
function infoOf({ version, port }: Context['runtime']) {
  const { dashboardOrigin, dataOrigin, gatewayPort } = addresses(port)
  return { version, port, gatewayPort, dashboardOrigin, dataOrigin }
}
