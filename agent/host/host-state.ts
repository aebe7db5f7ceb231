import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { HostFile } from '@/protocol/host'
import { listenOn } from './relay'

/**
 * What this session-host says of itself: `host.json`, written whole, and a socket that sends the same line on connecting
 * and at every change. Its end tells a watching agent that the host is gone.
 */
export class HostState {
  readonly #path: string
  readonly #watchers = new Set<Socket>()
  #file: HostFile
  #server: Server | null = null

  /** Claims the instance. Throws when another host has it: a second start of the same placement must not run twice. */
  constructor(path: string, file: HostFile) {
    this.#path = path
    this.#file = file
    const temporary = this.#writeTemporary()
    try {
      linkSync(temporary, path)
    } finally {
      rmSync(temporary, { force: true })
    }
  }

  get file(): HostFile {
    return this.#file
  }

  async listen(socketPath: string): Promise<void> {
    this.#server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.#watchers.delete(socket))
      this.#watchers.add(socket)
      socket.resume()
      socket.write(`${JSON.stringify(this.#file)}\n`)
    })
    await listenOn(this.#server, { path: socketPath })
  }

  update(change: Partial<Pick<HostFile, 'childPid' | 'childStart' | 'exitCode' | 'startFault'>>): void {
    this.#file = { ...this.#file, ...change }
    renameSync(this.#writeTemporary(), this.#path)
    for (const watcher of this.#watchers) watcher.write(`${JSON.stringify(this.#file)}\n`)
  }

  close(): void {
    this.#server?.close()
    for (const watcher of this.#watchers) watcher.destroy()
  }

  #writeTemporary(): string {
    const temporary = `${this.#path}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(this.#file), { mode: 0o600 })
    return temporary
  }
}
