import { WebSocket } from 'ws'
import { addresses } from '@/domain/settings'
import { type ClientMessage, decodeFrame, encodeFrame, FRAME, type StartFault, serverMessage } from '@/protocol/terminal'
import { PROTOCOL } from '@/protocol/version'
import { Failure } from '../failure'
import { tell } from '../output'

const STDIN_BYTES = 32_768
/** A command has no terminal; the protocol asks for a size all the same. */
const SIZE = { cols: 80, rows: 24 }

/**
 * Runs one command beside a session's terminal: standard input goes to it, what it prints comes to standard output. Resolves
 * with its exit code. It ends with this process. Throws one sentence when it was refused or the connection broke.
 */
export function execIn(asked: { port: number; ticket: string; command: readonly string[] }): Promise<number> {
  const { dataHost, gatewayPort } = addresses(asked.port)
  const address = `ws://127.0.0.1:${gatewayPort}/terminal`
  const socket = new WebSocket(address, { headers: { host: dataHost }, perMessageDeflate: false, handshakeTimeout: 10_000 })
  const say = (message: ClientMessage) => socket.send(JSON.stringify(message))
  return new Promise((resolve, reject) => {
    let exitCode: number | null = null
    socket.on('open', () => {
      const { ticket, command } = asked
      say({ type: 'hello', protocol: PROTOCOL.terminal, ticket, mode: 'control', command: [...command], ...SIZE })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return write(socket, data)
      const message = serverMessage.safeParse(JSON.parse(data.toString('utf8'))).data
      if (message?.type === 'attached') void feed(socket).catch(reject)
      if (message?.type === 'exit') exitCode = message.code ?? 1
      if (message?.type === 'exit' && message.fault) tell(FAULTS[message.fault](asked.command[0] ?? ''))
    })
    socket.on('error', (cause) => reject(new Failure(`the connection broke off (${cause.message})`, { cause })))
    socket.on('close', (_, reason) =>
      exitCode === null ? reject(new Failure(reason.toString() || 'the connection broke off')) : resolve(exitCode),
    )
  })
}

/** Of a command that never began, beside its exit code. */
const FAULTS: Record<StartFault, (name: string) => string> = {
  command_missing: (name) => `berth: there is no program ${name} in this session`,
  command_refused: (name) => `berth: ${name} cannot be executed in this session`,
}

/** No more is taken from the socket while standard output is full. */
function write(socket: WebSocket, data: Buffer): void {
  const frame = decodeFrame(data)
  if (frame?.kind !== FRAME.output || process.stdout.write(frame.bytes)) return
  socket.pause()
  process.stdout.once('drain', () => socket.resume())
}

/** Standard input until its end, one piece under way at a time. */
async function feed(socket: WebSocket): Promise<void> {
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece)
    for (let at = 0; at < bytes.byteLength; at += STDIN_BYTES)
      await sent(socket, encodeFrame(FRAME.stdin, 0, bytes.subarray(at, at + STDIN_BYTES)))
  }
  const eof: ClientMessage = { type: 'eof' }
  await sent(socket, JSON.stringify(eof))
}

/** A command that ended takes nothing more; that is no failure. */
function sent(socket: WebSocket, data: Uint8Array | string): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve()
  return new Promise((resolve) => socket.send(data, () => resolve()))
}
