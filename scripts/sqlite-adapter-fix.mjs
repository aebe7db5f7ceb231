// The schema engine hands the shadow database a whole script through executeRaw(); better-sqlite3's prepare() takes
// one statement only ("External error id#0"). Run argument-less scripts with exec().
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
function patch(q) {
  const raw = q.executeRaw.bind(q)
  q.executeRaw = async (query) => {
    if (query.args.length) return raw(query)
    try { return q.client.prepare(query.sql).run().changes } catch (e) {
      if (!(e instanceof RangeError)) q.onError(e)
      try { q.client.exec(query.sql); return 0 } catch (e2) { q.onError(e2) }
    }
  }
  return q
}
export class PrismaSqliteForMigrate extends PrismaBetterSqlite3 {
  open = []
  keep(q) { this.open.push(q); return q }
  async connect() { return this.keep(patch(await super.connect())) }
  async connectToShadowDb() { return this.keep(patch(await super.connectToShadowDb())) }
  async closeAll() { for (const q of this.open.splice(0)) await q.dispose() } // engine.free() leaves them open, and locked
}
