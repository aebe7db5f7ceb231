import { catalog } from './routers/catalog'
import { live } from './routers/live'
import { machines } from './routers/machines'
import { me } from './routers/me'
import { setup } from './routers/setup'
import { signIns } from './routers/sign-ins'
import { system } from './routers/system'
import { workloads } from './routers/workloads'
import { createCallerFactory, router } from './trpc'

/** Everything that can be asked of Berth. */
export const appRouter = router({ setup, me, signIns, workloads, machines, catalog, system, live })
export type AppRouter = typeof appRouter

/** Calls procedures without HTTP, for pages that render on the server: `createCaller(await contextOf(await headers()))`. */
export const createCaller = createCallerFactory(appRouter)
