import superjson from 'superjson'
import { v7 } from 'uuid'
import { z } from 'zod'
import { addresses } from '@/domain/settings'
import { createLog, type Log } from '@/kit/log'
import { answerApi } from '@/server/api/answer'
import type { Runtime } from '@/server/auth/runtime'
import { sessionCookie } from '@/server/auth/testing/session-cookie'
import { newSecret, secretHash } from '@/server/service/secrets'
import { watchChanges } from '@/server/store/changes'
import { readCounter } from '@/server/store/counter'
import type { Db } from '@/server/store/db'
import { insertSignIn } from '@/server/store/system/sign-ins'
import { CATALOG } from '@/testing/candidates'
import { TestClock } from '@/testing/clock'

const PORT = 7480
export const ORIGIN = addresses(PORT).dashboardOrigin
/** What a browser sends from one of our own pages. */
export const OURS = { 'sec-fetch-site': 'same-origin', origin: ORIGIN }

/** A web process without its process: a real database, a clock that stands still, a log that says nothing. */
export function runtimeFor(
  db: Db,
  clock: TestClock = new TestClock(),
  log: Log = createLog('test', { level: 'fatal' }),
): Runtime {
  return {
    db,
    port: PORT,
    authSecret: 'a'.repeat(43),
    catalog: CATALOG,
    changes: { read: () => readCounter(db), watch: (signal) => watchChanges(db, { signal, everyMs: 200 }) },
    clock,
    log,
    version: '0.0.0-test',
  }
}

/** A browser of this person that signed in now: its cookie header, and the id of the sign-in. */
export async function browserOf(runtime: Runtime, userId: string): Promise<{ cookie: string; signInId: string; sid: string }> {
  const sid = newSecret()
  const signInId = v7()
  const at = runtime.clock.now()
  const expiresAt = new Date(at.getTime() + 7 * 86_400_000)
  await insertSignIn(runtime.db, {
    id: signInId,
    userId,
    secretHash: secretHash(sid),
    device: 'Test',
    address: '',
    at,
    expiresAt,
  })
  return { cookie: await sessionCookie(runtime.authSecret, sid), signInId, sid }
}

export type Answer = {
  status: number
  headers: Headers
  text: string
  data: unknown
  berth: { code: string; args: Record<string, unknown>; requestId: string } | null
}
type Call = { input?: unknown; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

const shape = z.object({
  result: z.object({ data: z.unknown() }).optional(),
  error: z
    .object({
      json: z.object({
        data: z.object({ berth: z.object({ code: z.string(), args: z.record(z.string(), z.unknown()), requestId: z.string() }) }),
      }),
    })
    .optional(),
})

/** Calls a procedure as a browser's page would; `headers` add to or replace what such a page sends. */
export async function call(runtime: Runtime, path: string, { input, method = 'GET', headers = {}, body }: Call): Promise<Answer> {
  const json = input === undefined ? undefined : superjson.serialize(input)
  const query = method === 'GET' && json ? `?input=${encodeURIComponent(JSON.stringify(json))}` : ''
  const request = new Request(`${ORIGIN}/api/trpc/${path}${query}`, {
    method,
    headers:
      method === 'POST'
        ? { 'content-type': 'application/json', ...OURS, ...headers }
        : { 'sec-fetch-site': 'same-origin', ...headers },
    ...(method === 'POST' ? { body: body ?? JSON.stringify(json ?? superjson.serialize(undefined)) } : {}),
  })
  const response = await answerApi(runtime, request)
  const text = await response.text()
  const parsed = shape.safeParse(jsonOrNull(text)).data
  const data = parsed?.result
    ? superjson.deserialize(z.custom<Parameters<typeof superjson.deserialize>[0]>().parse(parsed.result.data))
    : null
  return { status: response.status, headers: response.headers, text, data, berth: parsed?.error?.json.data.berth ?? null }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // A batch or an event stream: the test looks at the text.
  }
}
