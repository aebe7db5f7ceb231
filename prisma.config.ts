import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// The CLI spawns this file instead of downloading a native engine (see scripts/schema-engine.mjs).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('./scripts/schema-engine.mjs', import.meta.url))
const isSqlite = process.env.BERTH_DB === 'sqlite'

export default defineConfig({
  schema: isSqlite ? 'prisma/sqlite/schema.prisma' : 'prisma/schema.prisma',
  migrations: { path: isSqlite ? 'prisma/sqlite/migrations' : 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'file:./dev.db' },
})
