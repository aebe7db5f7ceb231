#!/usr/bin/env node
// A stand-in for Prisma's native schema-engine binary: the same JSON-RPC over stdio, served by the WASM engine from npm.
// prisma.config.ts points PRISMA_SCHEMA_ENGINE_BINARY here, so that `npx prisma migrate …` downloads nothing.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { PrismaPgForMigrate } from './pg-adapter-fix.mjs'
import { PrismaSqliteForMigrate } from './sqlite-adapter-fix.mjs'
import { newEngine } from './wasm-engine.mjs'

const args = process.argv.slice(2)
const valuesOf = (name) => args.flatMap((arg, index) => (arg === name ? [args[index + 1]] : []))
const { url } = JSON.parse(valuesOf('--datasource')[0] ?? '{}')
const file = url?.startsWith('file:') ? url.slice('file:'.length) : null
const schemas = valuesOf('--datamodels').map((name) => [name, readFileSync(name, 'utf8')])

process.on('uncaughtException', (error) => {
  complain({ message: error.message, backtrace: error.stack }) // a panic of the engine
  process.exit(101)
})
if (!url) {
  complain({ message: 'schema-engine: no datasource url in prisma.config.ts' })
  process.exit(1)
}
if (args.includes('cli')) process.exit(await runCommand(args.at(-1)))
serve()

/** `can-connect-to-database` and `create-database`: the exit code is the answer. */
async function runCommand(command) {
  if (file !== null) {
    if (command !== 'can-connect-to-database' || existsSync(file)) return 0
    complain({ error_code: 'P1003', message: 'Database does not exist' })
    return 1
  }
  const address = new URL(url)
  const name = address.pathname.slice(1)
  if (command === 'create-database') address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  try {
    await client.connect()
    if (command === 'create-database') await client.query(`CREATE DATABASE "${name.replaceAll('"', '""')}"`)
    await client.end()
    return 0
  } catch (error) {
    complain({ error_code: error.code === '3D000' ? 'P1003' : 'P1001', message: error.message })
    return 1
  }
}

function serve() {
  let printed = 1_000_000
  const lines = createInterface({ input: process.stdin })
  lines.on('close', () => process.exit(0))
  lines.on('line', async (line) => {
    const { id, method, params } = JSON.parse(line)
    if (!method) return // the answer to a print
    try {
      const result = await answer(method, params)
      const isPrinted = method === 'diff' && result?.stdout
      if (isPrinted) send({ id: printed++, method: 'print', params: { content: result.stdout } })
      send({ id, result: (isPrinted ? { ...result, stdout: null } : result) ?? null })
    } catch (error) {
      const { message, code, meta = null } = error
      send({ id, error: { code: 4466, message, data: { is_panic: false, error_code: code, message, meta } } })
    }
  })
}

async function answer(method, params) {
  const call = () => run(method === 'getDatabaseVersion' ? 'version' : method, params)
  try {
    return await call()
  } catch (error) {
    if (error.code !== 'P1014' || method !== 'devDiagnostic') throw error
  }
  // A new SQLite file has no table of migrations yet: applying none makes it.
  await run('applyMigrations', { ...params, migrationsList: { ...params.migrationsList, migrationDirectories: [] } })
  return call()
}

/** One engine per call: an engine hands out its shadow database once, and its connections hold SQLite's lock. */
async function run(method, params) {
  if (method === 'reset' && file !== null) return removeFile() // the engine would leave the tables there
  const factory =
    file === null ? new PrismaPgForMigrate(url) : new PrismaSqliteForMigrate({ url }, { shadowDatabaseUrl: ':memory:' })
  const engine = await newEngine(schemas.length > 0 ? schemas : null, factory)
  try {
    // These two never ask for a shadow database themselves; devDiagnostic fills the cache that they read.
    if (method === 'evaluateDataLoss' || method === 'createMigration')
      await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters })
    return await engine[method](params)
  } finally {
    engine.free()
    await factory.closeAll()
  }
}

function removeFile() {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
  return null
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function complain(fields) {
  console.error(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`)
}
