import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

/** A program that the benchmark started, and ends. */
export type Running = { pid: number; output(): string; stop(): Promise<void> }

/** Starts a program and resolves once it printed something that matches `ready`. Its process group ends with `stop`. */
export function startProgram(
  command: readonly string[],
  options: { ready: RegExp; cwd?: string; env?: Record<string, string>; withinMs?: number },
): Promise<Running> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const running = { pid: child.pid ?? 0, output: () => output, stop: () => endGroup(child) }
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${file}: ${why}\n${output.slice(-3000)}`))
    const timer = setTimeout(() => fail('not ready in time'), options.withinMs ?? 60_000)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (!options.ready.test(output)) return
      clearTimeout(timer)
      resolve(running)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  })
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  const group = -child.pid
  const force = setTimeout(() => process.kill(group, 'SIGKILL'), 8000)
  await gone
  clearTimeout(force)
}

/** A free TCP port on 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
