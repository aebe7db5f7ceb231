// Loads Prisma's schema engine as WebAssembly (an npm package, no download) and gives it a driver adapter.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
let loaded

/** An engine for these schema files (null: none) over an adapter factory. Free it; its connections are the factory's. */
export async function newEngine(datamodels, factory) {
  loaded ??= load()
  const glue = await loaded
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= { set_message: (message) => console.error('schema engine panic:', message) }
  const log = (line) => process.env.DEBUG && console.error(line)
  // An empty list of schemas panics; undefined means none.
  return glue.SchemaEngine.new({ datamodels: datamodels ?? undefined }, log, bindMigrationAwareSqlAdapterFactory(factory))
}

/**
 * The package's entry imports the .wasm as an ES module, which Node 20 cannot: it is instantiated by hand, once per
 * process, because the glue keeps the instance in a module variable.
 */
async function load() {
  const glue = await import(path.join(folder, 'schema_engine_bg.js'))
  const wasm = readFileSync(path.join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue
}
