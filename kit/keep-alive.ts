import type { Http2Session } from 'node:http2'

/** Pings an HTTP/2 session every `everyMs`; one whose answer misses the deadline is destroyed, and every stream of it gets an error. */
export function keepAlive(session: Http2Session, timing: { everyMs: number; deadlineMs: number }): void {
  const timer = setInterval(() => {
    if (session.destroyed || session.closed) return
    const dead = setTimeout(() => session.destroy(new Error('the other end does not answer')), timing.deadlineMs)
    session.once('close', () => clearTimeout(dead))
    if (!session.ping(() => clearTimeout(dead))) clearTimeout(dead)
  }, timing.everyMs)
  session.once('close', () => clearInterval(timer))
}
