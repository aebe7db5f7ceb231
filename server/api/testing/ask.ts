import { z } from 'zod'
import { appRouter } from '@/server/api/root'
import type { Runtime } from '@/server/auth/runtime'
import { type Answer, call } from './web'

const declared = z.object({ type: z.string(), meta: z.object({ permission: z.string() }).optional() })

/** Every procedure of the API, by its path, as it was declared. */
export const PROCEDURES = Object.entries<unknown>(appRouter._def.procedures).map(
  ([path, p]) => [path, declared.parse(Reflect.get(Object(p), '_def'))] as const,
)
export const PATHS = PROCEDURES.map(([path]) => path)

/** query, mutation or subscription. */
export function typeOf(path: string): string | undefined {
  return PROCEDURES.find(([p]) => p === path)?.[1].type
}

/** Calls a query or mutation as the browser with this cookie, or as nobody. */
export function ask(runtime: Runtime, path: string, asked: { input: unknown; cookie?: string }): Promise<Answer> {
  const method = typeOf(path) === 'mutation' ? 'POST' : 'GET'
  return call(runtime, path, { input: asked.input, method, headers: asked.cookie ? { cookie: asked.cookie } : {} })
}
