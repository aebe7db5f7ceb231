import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { type HostFile, hostFile } from '@/protocol/host'
import { PROTOCOL } from '@/protocol/version'
import type { HostLaunch } from './host-launch'
import { startTime } from './process-table'
import { runSessionHost } from './session-host'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-session-host-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that waits for `begin`, and ends as soon as it has said, as bubblewrap does, that there was one. */
function launch(name: string): HostLaunch {
  const instanceDir = join(folder, name)
  mkdirSync(join(instanceDir, 'log'), { recursive: true })
  const statusFile = join(instanceDir, 'status')
  execFileSync('mkfifo', [begin(name)])
  const script = `read -r _ <"$1"; printf '{"child-pid": %s}\\n{"exit-code": 7}\\n' $$ >"$0"; exit 7`
  return {
    ...{ protocol: PROTOCOL.host, placementId: uuidv7(), workloadId: uuidv7(), workloadGen: 1, bootId: 'boot', kind: 'terminal' },
    ...{ instanceDir, statusFile, namespace: null, ptyOwner: null, cols: 80, rows: 24, graceMs: 1000 },
    doors: { main: door(name, 'main'), terminal: door(name, 'terminal'), state: door(name, 'state') },
    command: ['/bin/sh', '-c', script, statusFile, begin(name)],
    environment: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  }
}
const begin = (name: string) => join(folder, name, 'begin')
const door = (name: string, of: string) => join(folder, name, 'doors', `${of}.sock`)

/** All that a host says of itself until its program has ended. */
async function said(name: string): Promise<HostFile[]> {
  const told: HostFile[] = []
  const socket = connect(door(name, 'state'))
  for await (const line of createInterface(socket)) {
    if (told.length === 0) void writeFile(begin(name), '\n') // which waits until it is read
    told.push(hostFile.parse(JSON.parse(line)))
    if (told.at(-1)?.exitCode !== null) break
  }
  socket.destroy()
  return told
}

it('never says that a program ended before it said that there was one, however short it ran', async () => {
  for (const name of Array.from({ length: 24 }, (_, i) => String(i))) {
    const hosting = runSessionHost(launch(name), createLog('session-host', { level: 'error' }))
    await expect.poll(() => existsSync(door(name, 'state'))).toBe(true)
    const told = await said(name)
    expect(told.filter((file) => file.exitCode !== null && file.childPid === null)).toEqual([])
    expect(told.at(-1)?.exitCode).toBe(7)
    await (await hosting).end()
  }
})

it('takes nothing that an earlier host of the instance left for what its own program says', async () => {
  const again = launch('again')
  writeFileSync(join(folder, 'again', 'status'), '{"child-pid": 1}\n{"exit-code": 0}\n')
  const hosting = runSessionHost(again, createLog('session-host', { level: 'error' }))
  await expect.poll(() => existsSync(door('again', 'state'))).toBe(true)
  const told = await said('again')
  expect(told.filter(({ childPid }) => childPid === 1)).toEqual([])
  expect(told.at(-1)?.exitCode).toBe(7)
  await (await hosting).end()
})

it('X43: tells how its program ended as soon as the disk has room for it', async () => {
  const hosting = await runSessionHost({ ...launch('full'), statusFile: null }, createLog('session-host', { level: 'error' }))
  const path = join(folder, 'full', 'host.json')
  const file = () => hostFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  const inTheWay = `${path}.${process.pid}` // where it is written before it takes its place
  mkdirSync(inTheWay)
  await writeFile(begin('full'), '\n')
  await expect.poll(() => startTime(file().childPid ?? 0)).toBeNull()
  await new Promise((resolve) => setImmediate(resolve))
  expect(file().exitCode).toBeNull()
  rmdirSync(inTheWay)
  await expect.poll(() => file().exitCode).toBe(7)
  await hosting.end()
})
