// Loads Prisma's schema engine as WebAssembly (npm package, no download) and gives it a driver adapter.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
const require = createRequire(import.meta.url)
const dir = path.dirname(require.resolve('@prisma/schema-engine-wasm'))
// The package's entry imports the .wasm as an ES module, which Node 20 can't do: instantiate by hand.
let loaded // one instance per process: the glue module keeps its wasm in a module variable
export const loadEngine = () => (loaded ??= load())
async function load() {
  const bg = await import(path.join(dir, 'schema_engine_bg.js'))
  const { instance } = await WebAssembly.instantiate(readFileSync(path.join(dir, 'schema_engine_bg.wasm')), { './schema_engine_bg.js': bg })
  bg.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return bg
}
export async function newEngineFor(datamodels, factory) {
  const bg = await loadEngine()
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= { set_message: (m) => console.error('schema engine panic:', m) }
  const bound = bindMigrationAwareSqlAdapterFactory(factory)
  return bg.SchemaEngine.new({ datamodels }, (log) => process.env.DEBUG && console.error(log), bound)
}
export const newEngine = (schemaPath, factory) => newEngineFor([[schemaPath, readFileSync(schemaPath, 'utf8')]], factory)
