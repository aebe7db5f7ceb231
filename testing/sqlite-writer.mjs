// Another process at the same SQLite file: read-then-write transactions as fast as it can, as a controller beside the web.
// Usage: node testing/sqlite-writer.mjs FILE COUNT
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'

const [, , file, count] = process.argv
const db = new Database(file, { timeout: 5000 })
const read = db.prepare('SELECT "value" FROM "change_counter" WHERE "id" = 1').pluck()
const write = db.prepare('UPDATE "change_counter" SET "value" = ? WHERE "id" = 1')
for (let i = 0; i < Number(count); i++) {
  db.exec('BEGIN IMMEDIATE')
  write.run(read.get() + 1)
  db.exec('COMMIT')
  if (i % 10 === 0) await wait(1)
}
db.close()
