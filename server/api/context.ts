import { v7 } from 'uuid'
import { AppError } from '@/domain/errors'
import type { Caller } from '@/server/auth/caller'
import { identifyCaller } from '@/server/auth/identify'
import { type Runtime, runtime } from '@/server/auth/runtime'
import type { Ctx } from '@/server/service/ctx'
import { toTrpcError } from './errors'

/** What every procedure has. `caller` is null when nobody is signed in. */
export type Context = {
  requestId: string
  runtime: Runtime
  caller: Caller | null
  /** Who the same headers name now: null once the sign-in or token was revoked. For what outlives one answer. */
  recheck: () => Promise<Caller | null>
}

/** The context of one request, from its headers. Errors: invalid (both credentials, or a cookie that came twice). */
export async function contextOf(headers: Headers, own: Runtime = runtime()): Promise<Context> {
  const caller = await identifyCaller(own, headers)
  return { requestId: v7(), runtime: own, caller, recheck: () => identifyCaller(own, headers, false) }
}

/** What the services need, for a caller that is known. */
export function serviceCtx({ db, clock, catalog }: Runtime, caller: Caller): Ctx {
  const { tenantId, person, via, signInId, apiTokenId } = caller
  return {
    db,
    tenantId,
    person,
    via,
    signInId,
    apiTokenId,
    now: () => clock.now(),
    newId: v7,
    random: Math.random,
    catalog,
  }
}

/** The same as the headers name it now, for what outlives one answer. Throws unauthenticated once the sign-in or token ended. */
export async function currentCtx({ runtime, recheck }: Pick<Context, 'runtime' | 'recheck'>): Promise<Ctx> {
  const caller = await recheck()
  if (!caller) throw toTrpcError(new AppError('unauthenticated', {}))
  return serviceCtx(runtime, caller)
}
