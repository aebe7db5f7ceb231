// What @prisma/adapter-pg 7.10 gets wrong when the schema engine (WASM) drives it. Only the migration tool needs this.
//  1. it has no mapping for PostgreSQL's one-byte "char" type (oid 18), which the engine's catalogue queries return;
//  2. executeScript() splits at every ';', which tears PL/pgSQL functions and quoted semicolons;
//  3. connectToShadowDb() is ignored when a connection string names the database (the shadow IS the main database),
//     and it drops the shadow database before closing the pool.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
const CHAR = 18, TEXT = 25
function patch(q) {
  const io = q.performIO.bind(q), begin = q.startTransaction?.bind(q)
  let chars = []
  q.performIO = async (query) => {
    const r = await io(query)
    chars = r.fields.flatMap((f, i) => (f.dataTypeID === CHAR ? [i] : []))
    for (const i of chars) r.fields[i].dataTypeID = TEXT
    return r
  }
  const raw = Object.getPrototypeOf(q).queryRaw.bind(q)
  q.queryRaw = async (query) => { const r = await raw(query); for (const i of chars) r.columnTypes[i] = ColumnTypeEnum.Character; return r }
  q.executeScript = async (script) => { try { await q.client.query(script) } catch (e) { q.onError(e) } }
  if (begin) q.startTransaction = async (...a) => patch(await begin(...a))
  return q
}
export class PrismaPgForMigrate extends PrismaPg {
  constructor(url) {
    const u = new URL(url)
    const cfg = { host: u.hostname, port: Number(u.port || 5432), user: decodeURIComponent(u.username), password: decodeURIComponent(u.password), database: u.pathname.slice(1), max: 1 }
    if (['require', 'verify-ca', 'verify-full'].includes(u.searchParams.get('sslmode'))) cfg.ssl = { rejectUnauthorized: u.searchParams.get('sslmode') !== 'require' }
    super(cfg)
    this.cfg = cfg
  }
  open = []
  async connect() { const q = patch(await super.connect()); this.open.push(q); return q }
  async closeAll() { for (const q of this.open.splice(0)) await q.dispose().catch(() => {}) }
  async connectToShadowDb() {
    const admin = await this.connect(), database = `prisma_migrate_shadow_db_${randomUUID()}`
    await admin.executeScript(`CREATE DATABASE "${database}"`)
    const shadow = patch(await new PrismaPg({ ...this.cfg, database }).connect()), close = shadow.dispose.bind(shadow)
    shadow.dispose = async () => { await close(); await admin.executeScript(`DROP DATABASE "${database}"`); await admin.dispose() }
    return shadow
  }
}
