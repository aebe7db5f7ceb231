#!/usr/bin/env node
// A stand-in for Prisma's native schema-engine binary: same JSON-RPC over stdio, served by the WASM engine from npm.
// PRISMA_SCHEMA_ENGINE_BINARY=./scripts/schema-engine.mjs npx prisma migrate …
import { createInterface } from 'node:readline'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { newEngineFor } from './wasm-engine.mjs'
import { PrismaSqliteForMigrate } from './sqlite-adapter-fix.mjs'
import { PrismaPgForMigrate } from './pg-adapter-fix.mjs'
const argv = process.argv.slice(2), values = (n) => argv.flatMap((a, i) => (a === n ? [argv[i + 1]] : []))
const { url } = JSON.parse(values('--datasource')[0] ?? '{}')
if (!url) { console.error(JSON.stringify({ level: 'ERROR', fields: { message: 'schema-engine: no datasource url in prisma.config.ts' } })); process.exit(1) }
process.on('uncaughtException', (e) => { console.error(JSON.stringify({ level: 'ERROR', fields: { message: e.message, backtrace: e.stack } })); process.exit(101) }) // a WASM panic
const sqlite = url.startsWith('file:')
if (argv.includes('cli')) {
  const cmd = argv.at(-1), fail = (error_code, message) => { console.error('\n' + JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields: { error_code, message } })); process.exit(1) }
  if (sqlite) { if (cmd === 'can-connect-to-database' && !existsSync(url.replace(/^file:/, ''))) fail('P1003', 'Database does not exist'); process.exit(0) }
  const u = new URL(url), name = u.pathname.slice(1)
  if (cmd === 'create-database') u.pathname = '/postgres'
  const c = new pg.Client({ connectionString: u.href })
  try { await c.connect(); if (cmd === 'create-database') await c.query(`CREATE DATABASE "${name.replaceAll('"', '""')}"`); await c.end(); process.exit(0) } catch (e) { fail(e.code === '3D000' ? 'P1003' : 'P1001', e.message) }
}
const datamodels = values('--datamodels').map((f) => [f, readFileSync(f, 'utf8')])
const factory = () => (sqlite ? new PrismaSqliteForMigrate({ url }, { shadowDatabaseUrl: ':memory:' }) : new PrismaPgForMigrate(url))
// One engine per call: an engine hands out its shadow database once, and evaluateDataLoss/createMigration never ask for
// one themselves ("must be provided through an external factory"): devDiagnostic fills the cache that they read.
async function rpc(method, params) {
  if (method === 'reset' && sqlite) { for (const x of ['', '-wal', '-shm', '-journal']) rmSync(url.replace(/^file:/, '') + x, { force: true }); return null } // the WASM engine leaves the tables there
  const f = factory(), e = await newEngineFor(datamodels.length ? datamodels : undefined, f)
  try {
    if (method === 'evaluateDataLoss' || method === 'createMigration') await e.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters })
    return await e[method](params)
  } finally { e.free(); await f.closeAll() }
}
const send = (o) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\n')
let printId = 1e6
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (!method) return // answer to print
  try {
    const call = () => rpc(method === 'getDatabaseVersion' ? 'version' : method, params)
    let result = await call().catch(async (err) => {
      if (err.code !== 'P1014' || method !== 'devDiagnostic') throw err // a new SQLite file has no _prisma_migrations yet
      await rpc('applyMigrations', { ...params, migrationsList: { ...params.migrationsList, migrationDirectories: [] } })
      return call()
    })
    if (method === 'diff' && result.stdout) { send({ id: printId++, method: 'print', params: { content: result.stdout } }); result = { ...result, stdout: null } }
    send({ id, result: result ?? null })
  } catch (err) {
    send({ id, error: { code: 4466, message: err.message, data: { is_panic: false, error_code: err.code, message: err.message, meta: err.meta ?? null } } })
  }
}).on('close', () => process.exit(0))
