const BASE = '/api/auth'

/** The outcome of a sign-in: done, or the one sentence to show. */
export type SignInOutcome = { isIn: true } | { isIn: false; text: string }

const WRONG = 'E-mail or password is wrong.'
const UNANSWERED = 'Berth did not answer. Try again in a moment.'

/** Signs in by password. Never throws: every end is an outcome that the form can show. */
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  try {
    const answer = await post('callback/credentials', { email, password, json: 'true' })
    if (answer.ok && errorOf(answer.url) === null) return { isIn: true }
    return { isIn: false, text: sentenceOf(answer) }
  } catch {
    return { isIn: false, text: UNANSWERED } // No answer at all: the server is away, and the form says so.
  }
}

/** Ends this sign-in and leaves nothing of it on the page. */
export async function signOut(): Promise<void> {
  await post('signout', { json: 'true' })
  location.assign('/sign-in')
}

type Answer = { ok: boolean; status: number; url: string; retrySeconds: number | null }

async function post(path: string, fields: Record<string, string>): Promise<Answer> {
  const csrf = await fetch(`${BASE}/csrf`).then((r) => r.json())
  const response = await fetch(`${BASE}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, csrfToken: String(csrf.csrfToken), callbackUrl: location.origin }),
  })
  const body: unknown = await response.json().catch(() => ({})) // A refusal before the handler has no JSON.
  const url = typeof body === 'object' && body !== null && 'url' in body ? String(body.url) : ''
  const retry = Number(response.headers.get('retry-after'))
  return { ok: response.ok, status: response.status, url, retrySeconds: retry > 0 ? retry : null }
}

function errorOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get('error') : null
}

function sentenceOf(answer: Answer): string {
  if (answer.status === 429 || answer.retrySeconds !== null) {
    return `Too many tries. Try again in ${answer.retrySeconds ?? 60} s.`
  }
  return answer.status >= 500 ? UNANSWERED : WRONG
}
