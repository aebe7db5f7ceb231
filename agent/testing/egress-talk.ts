import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FromEgress, ToEgress } from '../egress/control-messages'
import { egressSockets } from '../egress/control-messages'

/** Speaks to an egress process whose sockets are in `dir`, as tests do. */
export class EgressTalk {
  readonly #sockets: ReturnType<typeof egressSockets>

  constructor(dir: string) {
    this.#sockets = egressSockets(dir, join(dir, 's'))
  }

  /** Sends messages as the agent and reads as many answers. */
  async tell(...messages: ToEgress[]): Promise<FromEgress[]> {
    const socket = connect(this.#sockets.control)
    const lines = createInterface({ input: socket })
    const heard: FromEgress[] = []
    const all = new Promise<FromEgress[]>((done) => {
      lines.on('line', (line) => {
        heard.push(JSON.parse(line) as FromEgress)
        if (heard.length === messages.length) done(heard)
      })
    })
    for (const message of messages) socket.write(`${JSON.stringify(message)}\n`)
    const result = await all
    socket.destroy()
    return result
  }

  /** Sends raw bytes to an instance's socket and reads until it closes or `until` came. */
  talk(id: string, bytes: string, until?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#sockets.of(id))
      let text = ''
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (until && text.includes(until)) socket.destroy()
      })
      socket.on('close', () => resolve(text))
      socket.write(bytes)
    })
  }

  /** The first line of the answer to a CONNECT. */
  async tunnel(id: string, authority: string): Promise<string | undefined> {
    const text = await this.talk(id, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`, 'established\r\n\r\n')
    return text.split('\r\n')[0]
  }
}
