import { catalog } from './routers/catalog'
import { live } from './routers/live'
import { machines } from './routers/machines'
import { me } from './routers/me'
import { members } from './routers/members'
import { setup } from './routers/setup'
import { shares } from './routers/shares'
import { signIns } from './routers/sign-ins'
import { system } from './routers/system'
import { tokens } from './routers/tokens'
import { workloads } from './routers/workloads'
import { createCallerFactory, router } from './trpc'

/** Everything that can be asked of Berth. */
export const appRouter = router({
  setup,
  me,
  members,
  tokens,
  signIns,
  workloads,
  shares,
  machines,
  catalog,
  system,
  live,
})
export type AppRouter = typeof appRouter

/** Calls procedures without HTTP, for pages that render on the server: `createCaller(await contextOf(await headers()))`. */
export const createCaller = createCallerFactory(appRouter)
