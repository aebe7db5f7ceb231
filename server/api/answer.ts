import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { v7 } from 'uuid'
import { isAppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { addresses } from '@/domain/settings'
import type { Runtime } from '@/server/auth/runtime'
import { contextOf } from './context'
import { expectedFailure, refusal, retryAfter, toTrpcError } from './errors'
import { admit } from './gate'
import { appRouter } from './root'

const ENDPOINT = '/api/trpc'
const SECURITY_VARY = 'origin, sec-fetch-site, cookie, authorization'

/** Answers one request of the API. Every answer has a request id; a fault of ours is logged under it and shows nothing else. */
export async function answerApi(runtime: Runtime, request: Request): Promise<Response> {
  const requestId = v7()
  const response = await handle(runtime, request, requestId)
  response.headers.set('x-request-id', requestId)
  response.headers.set('cache-control', 'no-store')
  response.headers.append('vary', SECURITY_VARY)
  return response
}

async function handle(runtime: Runtime, request: Request, requestId: string): Promise<Response> {
  try {
    const admitted = await admit(request, addresses(runtime.port).dashboardOrigin)
    const context = { ...(await contextOf(admitted.headers, runtime)), requestId }
    return await fetchRequestHandler({
      endpoint: ENDPOINT,
      req: admitted,
      router: appRouter,
      createContext: () => context,
      allowMethodOverride: false,
      maxBatchSize: LIMITS.batchMax,
      onError: ({ error, path }) => {
        if (!expectedFailure(error)) runtime.log.error('request failed', { requestId, path, error })
      },
      responseMeta: ({ errors }) => ({ headers: new Headers(errors[0] ? retryAfter(expectedFailure(errors[0])) : {}) }),
    })
  } catch (error) {
    if (!isAppError(error)) runtime.log.error('request failed', { requestId, error })
    return refusal(toTrpcError(error), requestId)
  }
}
