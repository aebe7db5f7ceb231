import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, expect, it } from 'vitest'
import { isListening } from '@/testing/is-listening'
import { programFile } from '@/testing/programs'
import { until } from '@/testing/until'
import { asciicast } from '../read/asciicast'
import { partsOf } from '../read/stored-bytes'
import { TerminalClient } from '../testing/terminal-client'
import { instancePaths } from './host-launch'

const dirs: string[] = []
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** A real session-host whose record lies on a disk of 256 KiB that nobody else sees. */
async function hostOnTinyDisk() {
  const dir = mkdtempSync(join(tmpdir(), 'tiny-'))
  dirs.push(dir)
  const instanceDir = join(dir, 'instance')
  const { recordDir, logDir } = instancePaths(instanceDir)
  for (const made of [recordDir, logDir]) mkdirSync(made, { recursive: true })
  const door = (name: string) => join(dir, 'doors', `${name}.sock`)
  const launchFile = join(dir, 'launch.json')
  const launch = {
    ...{
      protocol: 1,
      placementId: uuidv7(),
      workloadId: uuidv7(),
      workloadGen: 1,
      bootId: 'test',
      kind: 'terminal',
      instanceDir,
    },
    doors: { main: door('main'), terminal: door('terminal'), state: door('state') },
    command: ['/bin/bash', '--norc', '--noprofile', '-i'],
    environment: { PATH: '/usr/bin:/bin', PS1: '$ ', HOME: dir, TERM: 'xterm-256color' },
    ...{ namespace: null, cwd: dir, statusFile: null, ptyOwner: null, cols: 80, rows: 24, graceMs: 500 },
  }
  writeFileSync(launchFile, JSON.stringify(launch))
  const mount = 'mount -t tmpfs -o size=256k,mode=0700 tiny "$1" && shift && exec "$@"'
  const host = [process.execPath, programFile('session-host'), 'run', launchFile]
  const full = openSync('/dev/full', 'w') // no room for what it logs either
  const child = spawn('unshare', ['-m', 'sh', '-c', mount, 'sh', recordDir, ...host], { stdio: ['ignore', full, full] })
  closeSync(full)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until('the session-host opens its door', () => isListening(door('terminal')))
  return {
    door: door('terminal'),
    /** The record as its own host sees it. */
    kept: { placementId: '', workloadGen: 1, dir: `/proc/${child.pid}/root${instanceDir}` },
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

it.skipIf(process.getuid?.() !== 0)(
  'L7 X43: a full disk ends no session, hides no byte from who watches, and is told by the record',
  async () => {
    const host = await hostOnTinyDisk()
    const client = new TerminalClient(host.door).attach(0).send({ type: 'bind', controllerGen: 1 })
    await client.until({ message: 'bound' })
    client.type(1, 'echo kept-$((40+2))\r')
    await client.until({ text: 'kept-42' })
    client.type(1, 'yes 0123456789 | head -c 600000; echo; echo all-$((3+3))\r')
    await client.until({ text: 'all-6' })
    expect(client.output.byteLength).toBeGreaterThan(600_000)
    expect(client.messages.filter(({ type }) => type === 'gap')).toEqual([])
    client.type(1, 'echo still-$((1+1))\r')
    await client.until({ text: 'still-2' })
    const later = new TerminalClient(host.door).attach(0)
    await later.until({ text: 'still-2' })
    const parts = (await partsOf(host.kept, 'terminal')) ?? []
    const kept = parts.reduce((sum, part) => sum + part.end - part.start, 0)
    expect(kept).toBeGreaterThan(100_000)
    expect(kept).toBeLessThan(262_144)
    expect(readdirSync(join(host.kept.dir, 'record')).length).toBeLessThan(20) // no file for each byte without room
    const text: string[] = []
    for await (const piece of asciicast(host.kept, { from: 0, to: client.next })) text.push(piece.toString())
    expect(text.join('')).toContain('kept-42')
    client.close()
    later.close()
    await host.end()
  },
)
