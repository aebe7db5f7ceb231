import { encode } from 'next-auth/jwt'
import { SESSION_COOKIE } from '../cookies'

/** The cookie header of a browser whose sign-in has this random value. */
export async function sessionCookie(secret: string, sid: string): Promise<string> {
  return `${SESSION_COOKIE}=${await encode({ token: { sid }, secret })}`
}
