import { addresses } from '@/domain/settings'
import type { Runtime } from '@/server/auth/runtime'
import { procedure, router } from '../trpc'

export const system = router({
  info: procedure('read').query(({ ctx }) => infoOf(ctx.runtime)),
})

/** What a page needs to know of this installation: its version, and where live bytes come from. */
function infoOf({ version, port }: Runtime) {
  const { dashboardOrigin, dataOrigin, gatewayPort } = addresses(port)
  return { version, port, gatewayPort, dashboardOrigin, dataOrigin }
}
