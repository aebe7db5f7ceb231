import { type Failure, failureOf } from './failure'

/** Signs in by password; null when it worked. Never throws: every other end is a failure that the form can show. */
export async function signIn(email: string, password: string): Promise<Failure | null> {
  try {
    const answer = await post('callback/credentials', { email, password })
    if (answer.ok) return null
    const body: unknown = await answer.json().catch(() => null) // What answers without JSON is not Berth.
    return failureOf(typeof body === 'object' && body !== null && 'error' in body ? body.error : null)
  } catch {
    return failureOf(null) // No answer at all: the server is away, and the form says so.
  }
}

/** Ends this sign-in and leaves nothing of it on the page. */
export async function signOut(): Promise<void> {
  await post('signout', {})
  location.assign('/sign-in')
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  const { csrfToken } = await fetch('/api/auth/csrf').then((response) => response.json())
  return fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, csrfToken }),
  })
}
