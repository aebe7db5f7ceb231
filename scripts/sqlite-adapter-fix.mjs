// The schema engine hands the shadow database a whole script through executeRaw(), but better-sqlite3 prepares one
// statement only: scripts without arguments go to exec(). Only the migration tool needs this.
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'

export class PrismaSqliteForMigrate extends PrismaBetterSqlite3 {
  #open = []

  async connect() {
    return this.#keep(withScripts(await super.connect()))
  }

  async connectToShadowDb() {
    return this.#keep(withScripts(await super.connectToShadowDb()))
  }

  /** The engine leaves its connections open, and SQLite's lock with them. */
  async closeAll() {
    for (const adapter of this.#open.splice(0)) await adapter.dispose()
  }

  #keep(adapter) {
    this.#open.push(adapter)
    return adapter
  }
}

function withScripts(adapter) {
  const one = adapter.executeRaw.bind(adapter)
  adapter.executeRaw = async (query) => {
    if (query.args.length > 0) return one(query)
    try {
      return adapter.client.prepare(query.sql).run().changes
    } catch (error) {
      // RangeError: more than one statement.
      return error instanceof RangeError ? runScript(adapter, query.sql) : adapter.onError(error)
    }
  }
  return adapter
}

function runScript(adapter, sql) {
  try {
    adapter.client.exec(sql)
    return 0
  } catch (error) {
    return adapter.onError(error)
  }
}
