// What @prisma/adapter-pg 7.10 gets wrong when the schema engine drives it. Only the migration tool needs this.
//  1. It has no mapping for PostgreSQL's one-byte "char" type, which the engine's catalogue queries return.
//  2. executeScript() splits at every ';', which tears PL/pgSQL functions and quoted semicolons.
//  3. connectToShadowDb() is ignored when a connection string names the database (the shadow would be the main one),
//     and it drops the shadow database before its pool is closed.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'

const OID = { char: 18, text: 25 }

export class PrismaPgForMigrate extends PrismaPg {
  #config
  #open = []

  constructor(url) {
    const config = configOf(new URL(url))
    super(config)
    this.#config = config
  }

  async connect() {
    const adapter = corrected(await super.connect())
    this.#open.push(adapter)
    return adapter
  }

  async connectToShadowDb() {
    const admin = await this.connect()
    const database = `prisma_migrate_shadow_db_${randomUUID()}`
    await admin.executeScript(`CREATE DATABASE "${database}"`)
    const shadow = corrected(await new PrismaPg({ ...this.#config, database }).connect())
    const close = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await close()
      await admin.executeScript(`DROP DATABASE "${database}"`)
      await admin.dispose()
    }
    return shadow
  }

  async closeAll() {
    // The engine closed some of them itself; closing twice is an error of no interest.
    for (const adapter of this.#open.splice(0)) await adapter.dispose().catch(() => undefined)
  }
}

function configOf(url) {
  const mode = url.searchParams.get('sslmode')
  const isEncrypted = ['require', 'verify-ca', 'verify-full'].includes(mode)
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    max: 1,
    ...(isEncrypted ? { ssl: { rejectUnauthorized: mode !== 'require' } } : {}),
  }
}

function corrected(adapter) {
  mapChars(adapter)
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script)
    } catch (error) {
      adapter.onError(error)
    }
  }
  const begin = adapter.startTransaction?.bind(adapter)
  if (begin) adapter.startTransaction = async (...args) => corrected(await begin(...args))
  return adapter
}

/** Reads "char" columns as text, then says that they are characters. */
function mapChars(adapter) {
  const performIO = adapter.performIO.bind(adapter)
  const queryRaw = Object.getPrototypeOf(adapter).queryRaw.bind(adapter)
  let chars = []
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    chars = result.fields.flatMap((field, index) => (field.dataTypeID === OID.char ? [index] : []))
    for (const index of chars) result.fields[index].dataTypeID = OID.text
    return result
  }
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const index of chars) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
}
