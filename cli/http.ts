import { type IncomingMessage, request } from 'node:http'
import { Failure } from './failure'

export type Asked = {
  port: number
  /** The exact name that Berth serves there; names below localhost need no resolving. */
  host: string
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

const ANSWER_WITHIN_MS = 60_000

/** Sends one request to this computer's Berth; resolves when its answer begins. Throws one sentence when nothing answers. */
export function send(asked: Asked): Promise<IncomingMessage> {
  const { port, host, path, method = 'GET', headers = {}, body, signal } = asked
  return new Promise((resolve, reject) => {
    const all = { ...headers, host, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) }
    const sent = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false, ...(signal ? { signal } : {}) })
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')))
    sent.once('response', (answer) => {
      sent.setTimeout(0)
      resolve(answer)
    })
    sent.once('error', (cause) => reject(unreachable(port, cause)))
    sent.end(body)
  })
}

/** The whole body as text. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}

function unreachable(port: number, cause: Error): Failure {
  return new Failure(`no Berth answers on port ${port} (${cause.message}); \`npm start\` starts one`, {
    code: 'unreachable',
    cause,
  })
}
