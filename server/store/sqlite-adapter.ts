import { chmodSync, closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type Database from 'better-sqlite3'
import { OpenedFile } from './sqlite-file'
import { Breather, Lock } from './sqlite-lock'
import { keepStatements } from './sqlite-statements'
import { requireSqliteVersion } from './sqlite-version'

export type SqliteOptions = {
  file: string
  /** FULL survives a power cut with the last commit; NORMAL is for tests. */
  synchronous?: 'NORMAL' | 'FULL'
  /** How long a write waits for the other process. Default: 10 s. */
  waitMs?: number
}

/**
 * Prisma's better-sqlite3 adapter, made safe for two processes and for concurrent requests in one process:
 * one writer connection under an async lock (a query outside a transaction cannot slip into an open one), one
 * query-only reader (reads see the last commit and wait for nothing), BEGIN IMMEDIATE (a transaction takes the write
 * lock at once instead of failing half-way), and waits by timers (SQLite's own would stop the event loop).
 */
export class BerthSqlite extends PrismaBetterSqlite3 {
  readonly #options: SqliteOptions

  constructor(options: SqliteOptions) {
    super({ url: `file:${options.file}`, timeout: 0 })
    this.#options = options
  }

  override async connect(): Promise<SqlDriverAdapter> {
    makePrivate(this.#options.file)
    const writer = (await super.connect()) as Inner
    const reader = (await super.connect()) as Inner
    requireSqliteVersion(writer.client)
    for (const connection of [writer, reader]) setUp(connection.client, this.#options.synchronous ?? 'FULL')
    reader.client.pragma('query_only = ON')
    const { file, waitMs = WAIT_MS } = this.#options
    return new SafeConnections({ writer, reader, file: new OpenedFile(file) }, waitMs) as unknown as SqlDriverAdapter
  }
}

type Inner = SqlDriverAdapter & { client: Database.Database; onError(error: unknown): never }
const WAIT_MS = 10_000

class SafeConnections {
  readonly provider
  readonly adapterName
  readonly #writer: Inner
  readonly #reader: Inner
  readonly #file: OpenedFile
  readonly #waitMs: number
  readonly #lock = new Lock()
  readonly #breather = new Breather()
  readonly #isReadonly: (sql: string) => boolean

  constructor({ writer, reader, file }: { writer: Inner; reader: Inner; file: OpenedFile }, waitMs: number) {
    this.provider = writer.provider
    this.adapterName = writer.adapterName
    this.#writer = writer
    this.#reader = reader
    this.#file = file
    this.#waitMs = waitMs
    this.#isReadonly = keepStatements(reader.client)
    keepStatements(writer.client)
  }

  async queryRaw(query: SqlQuery) {
    if (/^\s*(SELECT|WITH)\b/i.test(query.sql) && this.#isReadonly(query.sql))
      return this.#retry(() => this.#reader.queryRaw(query))
    return this.#locked(() => this.#writer.queryRaw(query))
  }

  async executeRaw(query: SqlQuery) {
    return this.#locked(() => this.#writer.executeRaw(query))
  }

  async executeScript(script: string) {
    return this.#locked(() => this.#writer.executeScript(script))
  }

  async dispose() {
    await this.#reader.dispose()
    await this.#writer.dispose()
  }

  async startTransaction(): Promise<Transaction> {
    const free = await this.#lock.acquire()
    try {
      this.#file.requireSame()
      await this.#retry(() => this.#writer.client.exec('BEGIN IMMEDIATE'))
    } catch (error) {
      free()
      return this.#writer.onError(error)
    }
    return this.#transaction(free)
  }

  #transaction(free: () => void): Transaction {
    const { client } = this.#writer
    const done = async () => {
      // Prisma sent COMMIT or ROLLBACK before it calls this; a transaction that is still open is abandoned.
      if (client.inTransaction) client.exec('ROLLBACK')
      free()
    }
    const exec = (verb: string) => async (name: string) => {
      client.exec(`${verb} ${name}`)
    }
    return {
      provider: this.provider,
      adapterName: this.adapterName,
      options: { usePhantomQuery: false },
      queryRaw: async (query: SqlQuery) => this.#writer.queryRaw(query),
      executeRaw: async (query: SqlQuery) => this.#writer.executeRaw(query),
      commit: done,
      rollback: done,
      createSavepoint: exec('SAVEPOINT'),
      rollbackToSavepoint: exec('ROLLBACK TO'),
      releaseSavepoint: exec('RELEASE SAVEPOINT'),
    } as Transaction
  }

  async #locked<T>(work: () => T | Promise<T>): Promise<T> {
    const free = await this.#lock.acquire()
    try {
      this.#requireFile()
      return await this.#retry(work)
    } finally {
      free()
    }
  }

  #requireFile(): void {
    try {
      this.#file.requireSame()
    } catch (error) {
      this.#writer.onError(error)
    }
  }

  async #retry<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#breather.breathe()
    const end = performance.now() + this.#waitMs
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 8)) {
      try {
        return await work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error
      }
      await wait(waitMs * (0.5 + Math.random()))
    }
  }
}

/** -wal and -shm take the mode of the main file. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

function setUp(client: Database.Database, synchronous: 'NORMAL' | 'FULL'): void {
  client.pragma('busy_timeout = 2000') // only for the lines below
  client.pragma('journal_mode = WAL')
  client.pragma(`synchronous = ${synchronous}`)
  client.pragma('foreign_keys = ON')
  client.pragma('cache_size = -16000')
  client.pragma('temp_store = MEMORY')
  client.pragma('busy_timeout = 5') // short: SQLite waits inside the call, and the event loop stands still meanwhile
}

function isBusy(error: unknown): boolean {
  const known = error as { code?: unknown; cause?: { originalCode?: unknown } }
  return String(known.code ?? known.cause?.originalCode ?? '').startsWith('SQLITE_BUSY')
}
