import { request } from 'node:http'
import { pause } from '@/kit/loop'

const FIRST_PAUSE_MS = 50
/** A server takes a second or two to start; a refused dial of a local socket costs nothing. */
const PAUSE_MAX_MS = 100
const ANSWER_MS = 3000

type ReadyOptions = { timeoutMs: number; signal: AbortSignal; isUp: () => boolean }

/**
 * Waits until the server behind a door answers `GET /api` with 200. Returns whether it did before `timeoutMs`; ends early
 * when the signal aborts or its process is up no more.
 */
export async function whenReady(doorPath: string, options: ReadyOptions): Promise<boolean> {
  const end = performance.now() + options.timeoutMs
  const isWanted = () => performance.now() < end && !options.signal.aborted && options.isUp()
  for (let pauseMs = FIRST_PAUSE_MS; isWanted(); pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    if (await answers(doorPath)) return true
    await pause(pauseMs, options.signal)
  }
  return false
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    // The whole answer has this long: one that comes byte by byte never looks idle.
    const signal = AbortSignal.timeout(ANSWER_MS)
    const asked = request({ socketPath, path: '/api', signal, headers: { host: 'localhost' } }, (answer) => {
      answer.on('error', () => undefined) // cut off after its head, which is all that counts
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.once('error', () => resolve(false))
    asked.end()
  })
}
