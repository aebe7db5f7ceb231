import { randomBytes } from 'node:crypto'
import type { FromHost } from '@/protocol/host'
import { type ClientMessage, FRAME } from '@/protocol/terminal'
import { CLOSE, PROTOCOL } from '@/protocol/version'
import type { HostStream } from './host-stream'
import type { TerminalClient } from './terminal-client'

type Hello = Extract<ClientMessage, { type: 'hello' }>

/** A command needs no generation: nobody else can type into it. */
const NO_GEN = 0

/**
 * One command beside a session's terminal: what it prints goes to its window alone, then how it ended. It ends with its
 * window, and takes no part in who may type into the terminal.
 */
export function serveExec(client: TerminalClient, host: HostStream, hello: Hello): void {
  let isOver = false
  const gone = () =>
    client.close(isOver ? CLOSE.normal : CLOSE.restarting, isOver ? 'the command ended' : 'the connection broke off')
  host.on('message', (message) => {
    if (message.type === 'attached')
      client.say({ type: 'attached', mode: 'control', controllerGen: NO_GEN, workloadGen: message.workloadGen })
    if (message.type === 'refused') client.close(CLOSE.policy, REFUSED[message.why] ?? 'the session refused this command')
    if (message.type !== 'exit') return
    isOver = true
    client.say(message)
    gone()
  })
  host.on('output', (frame) => {
    client.send(FRAME.output, frame)
    if (client.isFull) host.pause()
  })
  host.on('close', gone)
  client.on('drain', () => host.resume())
  client.on('stdin', (bytes) => {
    host.type(NO_GEN, bytes)
    if (host.needsDrain) client.pauseUntil((then) => host.whenWritable(then))
  })
  client.on('message', (message) => message.type === 'eof' && host.say({ type: 'eof' }))
  void client.closed.then(() => host.destroy())
  const attachmentId = randomBytes(16).toString('hex')
  host.say({ type: 'exec', protocol: PROTOCOL.host, attachmentId, command: hello.command ?? [] })
}

const REFUSED: Partial<Record<Extract<FromHost, { type: 'refused' }>['why'], string>> = {
  busy: 'too many commands run beside this terminal',
}
