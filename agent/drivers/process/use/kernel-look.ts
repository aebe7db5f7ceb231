import { request } from 'node:http'
import { z } from 'zod'

/** What the kernels of a notebook do. `activity` changes whenever one of them did something. */
export type KernelLook = { isBusy: boolean; activity: string }

const ANSWER_MS = 1000
const ANSWER_BYTES_MAX = 1_048_576
const kernels = z.array(z.object({ id: z.string(), execution_state: z.string(), last_activity: z.string() })).max(1000)

/** Asks a notebook's server through the instance's own door; null when it gives no answer that can be understood. */
export async function lookAtKernels(door: { path: string; secret: string | null }): Promise<KernelLook | null> {
  try {
    const found = kernels.parse(JSON.parse(await ask(door)))
    const activity = found.map((k) => `${k.id} ${k.last_activity}`).sort()
    return { isBusy: found.some((k) => k.execution_state === 'busy'), activity: activity.join('\n') }
  } catch {
    return null // The server is gone, slow, or something else: what it does is not known.
  }
}

function ask({ path, secret }: { path: string; secret: string | null }): Promise<string> {
  const headers = { host: 'localhost', ...(secret === null ? {} : { authorization: `token ${secret}` }) }
  return new Promise((resolve, reject) => {
    // The question itself must not count as activity.
    const options = { socketPath: path, path: '/api/kernels?no_track_activity=1', headers, timeout: ANSWER_MS }
    const asked = request(options, (answer) => {
      const parts: Buffer[] = []
      let bytes = 0
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.byteLength
        if (bytes > ANSWER_BYTES_MAX) asked.destroy(new Error('too long an answer'))
      })
      answer.once('error', reject)
      answer.once('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    })
    // A server that sends a byte now and then must not hold the look for ever.
    const late = setTimeout(() => asked.destroy(new Error('no answer in time')), 2 * ANSWER_MS)
    asked.once('close', () => clearTimeout(late))
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.once('error', reject)
    asked.end()
  })
}
