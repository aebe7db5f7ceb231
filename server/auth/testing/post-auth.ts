import { z } from 'zod'
import { ORIGIN, OURS } from '@/server/api/testing/web'
import { answerAuth } from '../auth-route'
import { SESSION_COOKIE } from '../cookies'
import type { Runtime } from '../runtime'

export type AuthAnswer = { status: number; headers: Headers; text: string; cookies: string[]; session: string; berth: unknown }

/** Gets the CSRF value and posts, as the sign-in page does. `session` is the cookie to send from then on. */
export async function postAuth(
  runtime: Runtime,
  action: string,
  sent: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<AuthAnswer> {
  const { fields = {}, headers = {} } = sent
  const csrf = await answerAuth(runtime, new Request(`${ORIGIN}/api/auth/csrf`), ['csrf'])
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json())
  const csrfCookie = pairs(csrf.headers)
  const type = headers['content-type'] ?? 'application/json'
  const all = { ...fields, csrfToken }
  const request = new Request(`${ORIGIN}/api/auth/${action}`, {
    method: 'POST',
    body: type === 'application/json' ? JSON.stringify(all) : new URLSearchParams(all).toString(),
    headers: { ...OURS, ...headers, 'content-type': type, cookie: [headers.cookie, ...csrfCookie].filter(Boolean).join('; ') },
  })
  const response = await answerAuth(runtime, request, action.split('/'))
  const text = await response.text()
  const session = pairs(response.headers).find((pair) => pair.startsWith(SESSION_COOKIE)) ?? ''
  const berth = z.object({ error: z.object({ data: z.object({ berth: z.unknown() }) }) }).safeParse(JSON.parse(text)).data?.error
    .data.berth
  return { status: response.status, headers: response.headers, text, cookies: response.headers.getSetCookie(), session, berth }
}

function pairs(headers: Headers): string[] {
  return headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
}
