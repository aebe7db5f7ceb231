import type { Http2Session } from 'node:http2'

/** Pings an HTTP/2 session every `everyMs`; one whose answer misses the deadline is destroyed, and every stream of it gets an error. */
export function keepAlive(session: Http2Session, timing: { everyMs: number; deadlineMs: number }): void {
  let dead: NodeJS.Timeout | null = null
  const isAlive = () => {
    if (dead) clearTimeout(dead)
    dead = null
  }
  const timer = setInterval(() => {
    if (dead || session.destroyed || session.closed) return
    dead = setTimeout(() => session.destroy(new Error('the other end does not answer')), timing.deadlineMs)
    if (!session.ping(isAlive)) isAlive()
  }, timing.everyMs)
  session.once('close', () => {
    clearInterval(timer)
    isAlive()
  })
}
