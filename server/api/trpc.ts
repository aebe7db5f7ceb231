import { initTRPC } from '@trpc/server'
import superjson from 'superjson'
import { AppError } from '@/domain/errors'
import { hasScope, type Scope } from '@/domain/tokens'
import type { Caller } from '@/server/auth/caller'
import { requireRoom } from '@/server/service/room'
import { type Context, serviceCtx } from './context'
import { doing } from './doing'
import { describeError, toTrpcError } from './errors'
import { WITHOUT_ROOM } from './full-disk'

/**
 * Who may call a procedure at all; what they may do with a row is the service's rule.
 * `anyone`: nobody need be signed in. A scope: a browser, or an API token with that scope or a higher one. `browser`: a
 * browser only.
 */
export type Permission = 'anyone' | Scope | 'browser'

const t = initTRPC
  .context<Context>()
  .meta<{ permission: Permission }>()
  .create({
    transformer: superjson,
    isDev: false, // no stack leaves this process, in development either
    errorFormatter: ({ shape, error, ctx }) => {
      const { message, berth } = describeError(error, ctx?.requestId ?? '')
      return { ...shape, message, data: { ...shape.data, berth } }
    },
    sse: { ping: { enabled: true, intervalMs: 3000 }, client: { reconnectAfterInactivityMs: 8000 } },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Expected failures get the status that belongs to them. */
const base = t.procedure.use(async ({ next }) => {
  const result = await next()
  if (!result.ok) throw toTrpcError(result.error)
  return result
})

function guarded(permission: Exclude<Permission, 'anyone'>) {
  return base.meta({ permission }).use(async ({ ctx, next, type, path, getRawInput }) => {
    const caller = requireCaller(ctx.caller, permission, await doing(path, getRawInput))
    if (type === 'mutation' && !WITHOUT_ROOM.has(path)) await requireRoom(ctx.runtime.db)
    return next({ ctx: { ...serviceCtx(ctx.runtime, caller), caller } })
  })
}

/** A token that lacks a scope is told so; a caller without any credential is asked to sign in. */
function requireCaller(caller: Caller | null, permission: Exclude<Permission, 'anyone'>, does: string): Caller {
  if (!caller) throw new AppError('unauthenticated', {})
  const isEnough = permission === 'browser' ? caller.via === 'cookie' : hasScope(caller.scopes, permission)
  if (!isEnough) throw new AppError('forbidden', { action: `${does} ${NEEDS[permission]}` })
  return caller
}

const NEEDS = {
  read: 'with a token without the scope read',
  write: 'with a token without the scope write',
  admin: 'with a token without the scope admin',
  browser: 'with a token; sign in with a browser',
} as const

const PROCEDURES = {
  anyone: base.meta({ permission: 'anyone' }),
  read: guarded('read'),
  write: guarded('write'),
  admin: guarded('admin'),
  browser: guarded('browser'),
}

/** The only way to a procedure: without a permission it does not compile. */
export function procedure<P extends Permission>(permission: P): (typeof PROCEDURES)[P] {
  return PROCEDURES[permission]
}
