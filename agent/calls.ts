import http from 'node:http'
import tls from 'node:tls'
import { AGENTS_SERVER_NAME } from '@/protocol/enrol'

/** The agents' door of the controller, and what proves who it is and who we are. */
export type Door = {
  /** Unix socket of the agents' listener. */
  socket: string
  /** Certificate authority of the installation (PEM): no other server is spoken to. */
  ca: string
  identity?: { certificate: string; key: string } | undefined
}

export type Answer = { status: number; body: unknown }

const CALL_MS = 20_000
const ANSWER_BYTES_MAX = 1_048_576

/** Opens a TLS 1.3 connection to the door; rejects unless the server proves its name by the installation's authority. */
export function dial(door: Door, protocol: string, signal: AbortSignal): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = tls.connect({
      path: door.socket,
      servername: AGENTS_SERVER_NAME,
      minVersion: 'TLSv1.3',
      ALPNProtocols: [protocol],
      ca: door.ca,
      // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED of somebody's shell does not switch it off.
      rejectUnauthorized: true,
      ...(door.identity ? { cert: door.identity.certificate, key: door.identity.key } : {}),
    })
    const fail = (error: unknown) => {
      socket.destroy()
      reject(error)
    }
    const onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('error', fail)
    socket.once('close', () => fail(new Error('the controller closed the connection')))
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort)
      if (socket.alpnProtocol === protocol) resolve(socket)
      else fail(new Error(`the controller does not speak ${protocol}`))
    })
  })
}

/** One HTTP/1.1 POST of JSON to the door. Resolves with whatever status came; rejects when no whole answer did. */
export async function call(door: Door, path: string, body: unknown): Promise<Answer> {
  const signal = AbortSignal.timeout(CALL_MS)
  const socket = await dial(door, 'http/1.1', signal)
  try {
    return await post(socket, { path, text: JSON.stringify(body), signal })
  } finally {
    socket.destroy()
  }
}

function post(
  socket: tls.TLSSocket,
  { path, text, signal }: { path: string; text: string; signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: AGENTS_SERVER_NAME,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }
    const request = http.request({ method: 'POST', path, headers, createConnection: () => socket, signal }, (response) => {
      read(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject)
    })
    request.on('error', reject)
    request.end(text)
  })
}

async function read(response: http.IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    parts.push(part)
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`an answer has more than ${ANSWER_BYTES_MAX} bytes`)
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}
