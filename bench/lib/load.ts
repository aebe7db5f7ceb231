import { connect, type Socket } from 'node:net'

export type Target = { port: number; host: string; cookie?: string }

/** Requests per second over kept-alive connections, one request in flight on each. Every answer must be a 200. */
export async function requestsPerSecond(target: Target, options: { connections: number; seconds: number }): Promise<number> {
  const stop = { isDone: false }
  const counts = Array.from({ length: options.connections }, () => ask(target, '/', stop))
  const start = performance.now()
  await new Promise((resolve) => setTimeout(resolve, options.seconds * 1000))
  stop.isDone = true
  const done = await Promise.all(counts)
  return (done.reduce((sum, c) => sum + c.answers, 0) * 1000) / (performance.now() - start)
}

/** Megabytes (10^6) per second of large answers, `connections` at once, each asking `times` times. */
export async function megabytesPerSecond(target: Target, options: { connections: number; times: number }): Promise<number> {
  const start = performance.now()
  const done = await Promise.all(
    Array.from({ length: options.connections }, () => ask(target, '/large', { isDone: false, times: options.times })),
  )
  return done.reduce((sum, c) => sum + c.bytes, 0) / 1000 / (performance.now() - start)
}

type Count = { answers: number; bytes: number }

/** A client as thin as can be: on two cores a heavy one would be what is measured. It relies on `content-length`. */
function ask(target: Target, path: string, stop: { isDone: boolean; times?: number }): Promise<Count> {
  const text = `GET ${path} HTTP/1.1\r\nhost: ${target.host}\r\n${target.cookie ? `cookie: ${target.cookie}\r\n` : ''}\r\n`
  return new Promise((resolve, reject) => {
    const count: Count = { answers: 0, bytes: 0 }
    const socket: Socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true }, () => socket.write(text))
    const reader = new AnswerReader(() => {
      count.answers++
      if (stop.isDone || count.answers === stop.times) socket.end(() => resolve(count))
      else socket.write(text)
    })
    socket.on('data', (piece) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      count.bytes += bytes.byteLength
      reader.read(bytes)
    })
    socket.on('error', reject)
    socket.on('close', () => (stop.isDone || count.answers === stop.times ? resolve(count) : reject(new Error('cut off'))))
  })
}

class AnswerReader {
  #head = ''
  #left = 0
  readonly #onAnswer: () => void

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer
  }

  read(piece: Buffer): void {
    if (this.#left > 0) {
      this.#body(piece.byteLength)
      return
    }
    this.#head += piece.toString('latin1')
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#head.slice(0, end)
    const rest = this.#head.length - end - 4
    this.#head = ''
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.split('\r\n', 1)[0])
    this.#left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    this.#body(rest)
  }

  #body(bytes: number): void {
    this.#left -= bytes
    if (this.#left === 0) this.#onAnswer()
  }
}
