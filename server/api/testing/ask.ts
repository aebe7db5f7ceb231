import { z } from 'zod'
import { contextOf } from '@/server/api/context'
import { describeError, expectedFailure, toTrpcError } from '@/server/api/errors'
import { appRouter, createCaller } from '@/server/api/root'
import type { Runtime } from '@/server/auth/runtime'
import { type Answer, call } from './web'

const declared = z.object({
  type: z.string(),
  meta: z.object({ permission: z.string() }).optional(),
  inputs: z.array(z.instanceof(z.ZodType)),
})

/** Every procedure of the API, by its path, as it was declared. */
export const PROCEDURES = Object.entries<unknown>(appRouter._def.procedures).map(
  ([path, p]) => [path, declared.parse(Reflect.get(Object(p), '_def'))] as const,
)
export const PATHS = PROCEDURES.map(([path]) => path)

type Asked = { input: unknown; cookie?: string }
type Subscription = (input: unknown) => Promise<AsyncIterable<unknown>>

/** Calls a procedure as the browser with this cookie, or as nobody; of a subscription, its first message. */
export function ask(runtime: Runtime, path: string, asked: Asked): Promise<Answer> {
  const type = PROCEDURES.find(([p]) => p === path)?.[1].type
  if (type === 'subscription') return firstMessage(runtime, path, asked)
  const method = type === 'mutation' ? 'POST' : 'GET'
  return call(runtime, path, { input: asked.input, method, headers: headersOf(asked) })
}

async function firstMessage(runtime: Runtime, path: string, asked: Asked): Promise<Answer> {
  const headers = new Headers()
  try {
    const caller: unknown = createCaller(await contextOf(new Headers(headersOf(asked)), runtime))
    const named = path.split('.').reduce((at, name) => Reflect.get(Object(at), name), caller)
    for await (const message of await z.custom<Subscription>().parse(named)(asked.input))
      return { status: 200, headers, text: JSON.stringify(message), data: message, berth: null }
    throw new Error('the subscription ended without a message')
  } catch (cause) {
    const error = toTrpcError(cause)
    const { message, berth } = describeError(error, '')
    return { status: expectedFailure(error)?.status ?? 500, headers, text: JSON.stringify([message, berth]), data: null, berth }
  }
}

function headersOf({ cookie }: Asked): Record<string, string> {
  return cookie ? { cookie } : {}
}
