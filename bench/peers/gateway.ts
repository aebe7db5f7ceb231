// Berth's gateway as the controller runs it, on a database of its own, with one workload whose door is a plain server's
// socket and one browser that was let in. Prints where it is and the cookie.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDb } from '@/server/store/db'
import { migrate } from '@/server/store/migrate'
import { enterWorkload, seedRunning, startGateway } from '@/testing/gateway'

const url = `file:${path.join(mkdtempSync(path.join(tmpdir(), 'berth-bench-gateway-')), 'berth.db')}`
await migrate(url, path.resolve(import.meta.dirname, '../..'))
const test = await startGateway(await openDb(url))
const opened = await seedRunning(test)
test.setDoor(opened.placementId, 'main', process.argv[2] ?? '')
const cookie = await enterWorkload(test, opened)
console.log(`ready ${JSON.stringify({ port: test.port, host: opened.host, cookie })}`)
