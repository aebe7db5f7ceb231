import { WebSocket } from 'ws'
import { decodeFrame, encodeFrame, FRAME } from '@/protocol/terminal'
import type { Person } from './person'

const TAIL_BYTES = 256

/** One terminal over a WebSocket, whoever serves it. `bytes` counts what the program printed. */
export abstract class BenchTerminal {
  bytes = 0
  lastOutputAt = 0
  #tail = ''
  #wake: () => void = () => undefined
  protected readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
  }

  abstract type(text: string): void

  close(): void {
    this.socket.close()
  }

  /** Resolves when the latest output holds `text`. */
  sees(text: string | RegExp, withinMs = 60_000): Promise<void> {
    return this.#until(
      `sees ${text}`,
      () => (typeof text === 'string' ? this.#tail.includes(text) : text.test(this.#tail)),
      withinMs,
    )
  }

  /** Resolves at the first byte after `count`. */
  prints(count: number, withinMs = 10_000): Promise<void> {
    return this.#until('prints', () => this.bytes > count, withinMs)
  }

  /** Forgets what was printed, so that `sees` looks at what comes. */
  forget(): void {
    this.#tail = ''
  }

  protected printed(piece: Buffer): void {
    this.bytes += piece.byteLength
    this.lastOutputAt = performance.now()
    this.#tail = (this.#tail + piece.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES)
    this.#wake()
  }

  #until(what: string, isTrue: () => boolean, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`a terminal: not in time: ${what}; ${JSON.stringify(this.#tail)}`)),
        withinMs,
      )
      this.#wake = () => {
        if (!isTrue()) return
        clearTimeout(timer)
        this.#wake = () => undefined
        resolve()
      }
      this.#wake()
    })
  }
}

/** A session of Berth: through the gateway, with a ticket, recorded. */
export class BerthTerminal extends BenchTerminal {
  /** When the first byte of the screen came. */
  firstScreenAt = 0

  /** Asks for a ticket, connects, and resolves once the first screen is there and this window may type. */
  static async attach(person: Person, workloadId: string): Promise<BerthTerminal> {
    const asked = { workloadId, purpose: 'terminal-control' }
    const { ticket } = await person.call<{ ticket: string }>('workloads.ticket', asked)
    const socket = new WebSocket(`ws://127.0.0.1:${person.port + 1}/terminal`, {
      headers: { host: `io.berth.localhost:${person.port + 1}` },
      perMessageDeflate: false,
    })
    const terminal = new BerthTerminal(socket)
    const hello = { type: 'hello', protocol: 1, ticket, mode: 'control', cols: 120, rows: 40 }
    socket.once('open', () => socket.send(JSON.stringify(hello)))
    await terminal.#ready()
    return terminal
  }

  type(text: string): void {
    this.socket.send(encodeFrame(FRAME.stdin, 0, Buffer.from(text)))
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.on('message', (data: Buffer, isBinary) => {
        const frame = isBinary ? decodeFrame(data) : null
        if (!frame) return
        if (this.firstScreenAt === 0) this.firstScreenAt = performance.now()
        this.printed(Buffer.from(frame.bytes.buffer, frame.bytes.byteOffset, frame.bytes.byteLength))
        resolve()
      })
      this.socket.once('close', (code, reason) => reject(new Error(`closed with ${code} ${reason}`)))
      this.socket.once('error', reject)
    })
  }
}

/** JupyterLab's own terminal (terminado): JSON text messages, no record. */
export class JupyterTerminal extends BenchTerminal {
  static async open(port: number, token: string): Promise<JupyterTerminal> {
    const made = await fetch(`http://127.0.0.1:${port}/api/terminals?token=${token}`, { method: 'POST' })
    const { name } = (await made.json()) as { name: string }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/terminals/websocket/${name}?token=${token}`, {
      perMessageDeflate: false,
    })
    const terminal = new JupyterTerminal(socket)
    socket.on('message', (data: Buffer) => {
      const [kind, text] = JSON.parse(data.toString()) as [string, string]
      if (kind === 'stdout') terminal.printed(Buffer.from(text))
    })
    await opened(socket)
    socket.send(JSON.stringify(['set_size', 40, 120, 800, 1200]))
    return terminal
  }

  type(text: string): void {
    this.socket.send(JSON.stringify(['stdin', text]))
  }
}

/** The same pseudo-terminal behind a WebSocket and nothing else: `bench/peers/bare-terminal.mjs`. */
export class BareTerminal extends BenchTerminal {
  static async open(port: number): Promise<BareTerminal> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
    const terminal = new BareTerminal(socket)
    socket.on('message', (data: Buffer) => terminal.printed(data))
    await opened(socket)
    return terminal
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text))
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
}
