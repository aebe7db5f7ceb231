import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { FromEgress, ToEgress } from '../../egress/control-messages'
import { EGRESS_PROTOCOL, egressSockets, fromEgress } from '../../egress/control-messages'
import type { EgressPolicy } from '../../egress/policy'
import { onlyThese } from '../../host/only-these'
import type { HostCopy } from './host-copy'

/** The machine's egress process, started when it is needed and found again when it runs. */
export type EgressClient = {
  /** Gives an instance its way out, or a new policy. Resolves when its socket listens. */
  set(id: string, policy: EgressPolicy): Promise<string>
  /** Takes it away; open streams of it end. */
  drop(id: string): Promise<void>
}

type Options = { dataDir: string; runtimeDir: string; copy: () => Promise<HostCopy> }
type Ask = ToEgress extends infer M ? (M extends { seq: number } ? Omit<M, 'seq'> : never) : never

const START_MS = 10_000
const ANSWER_MS = 10_000
const POLL_MS = 25

export function openEgressClient(options: Options): EgressClient {
  const sockets = egressSockets(options.runtimeDir)
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  return {
    set: (id, policy) =>
      inTurn(async () => {
        await ask(await running(options), { verb: 'set', id, policy })
        return sockets.of(id)
      }),
    drop: (id) =>
      inTurn(async () => {
        const socket = await dial(sockets.control)
        if (socket) await ask(socket, { verb: 'drop', id })
      }),
  }
}

/** A connection to the process; it is started when nobody listens. */
async function running(options: Options): Promise<Socket> {
  const { control } = egressSockets(options.runtimeDir)
  const found = await dial(control)
  if (found) return found
  await start(options)
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(POLL_MS)) {
    const socket = await dial(control)
    if (socket) return socket
  }
  throw new Error('the egress process did not start; its log says why')
}

async function start(options: Options): Promise<void> {
  const { egress } = await options.copy()
  const stateDir = join(options.dataDir, 'egress')
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  const log = openSync(join(stateDir, 'egress.log'), 'a', 0o600)
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8' }
  // Detached, its output in a file, and no channel to this process: it outlives the agent.
  const child = spawn(process.execPath, [egress, stateDir, options.runtimeDir], {
    detached: true,
    stdio: ['ignore', log, log],
    env: onlyThese(environment),
    cwd: '/',
  })
  child.on('error', () => undefined)
  child.unref()
  closeSync(log)
}

function dial(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

/** One question on a connection of its own, with a bound on the wait. */
async function ask(socket: Socket, question: Ask): Promise<FromEgress> {
  try {
    const line = firstLine(socket)
    socket.write(`${JSON.stringify({ ...question, seq: 1 })}\n`)
    const answer = fromEgress.parse(JSON.parse(await line))
    if (!answer.ok) throw new Error(`the egress process could not ${question.verb}; its log says why`)
    if (answer.protocol > EGRESS_PROTOCOL) throw new Error('the egress process is of a newer Berth')
    return answer
  } finally {
    socket.destroy()
  }
}

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the egress process did not answer')), ANSWER_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the egress process went away'))
    })
    createInterface({ input: socket }).once('line', resolve)
  })
}
