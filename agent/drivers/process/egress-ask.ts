import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { FromEgress, ToEgress } from '../../egress/control-messages'
import { fromEgress, isSpoken } from '../../egress/control-messages'

/** What is asked; its number is given here. */
export type Question = ToEgress extends infer M ? (M extends { seq: number } ? Omit<M, 'seq'> : never) : never

const ANSWER_MS = 10_000

/** The connection ended before an answer: the process was ending, and may have done nothing of it. */
export class EgressGone extends Error {
  constructor() {
    super('the egress process went away')
    this.name = 'EgressGone'
  }
}

/** A connection to a listening process; null when nobody listens. */
export function dialEgress(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

/** One question on a connection of its own, which ends with it. The wait is bounded. */
export async function askEgress(socket: Socket, question: Question): Promise<FromEgress> {
  try {
    const line = firstLine(socket)
    socket.write(`${JSON.stringify({ ...question, seq: 1 })}\n`)
    const answer = fromEgress.parse(JSON.parse(await line))
    if (!answer.ok) throw new Error(`the egress process could not ${question.verb}; its log says why`)
    if (question.verb === 'set' && !isSpoken(answer.protocol))
      throw new Error('the egress process is of another Berth; it needs a restart, which happens when nothing uses it')
    return answer
  } finally {
    socket.destroy()
  }
}

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the egress process did not answer')), ANSWER_MS)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new EgressGone())
    })
    const lines = createInterface({ input: socket })
    // The reader repeats the socket's errors; their close says enough.
    lines.on('error', () => undefined)
    lines.once('line', resolve)
  })
}
