import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { requireUsableDisk } from './lib/disk.mjs'
import { dataDirectory, prepareDataDirectory, prepareRuntimeDirectory, runtimeDirectory } from './lib/places.mjs'
import { headersOfNode, requireNode } from './lib/prepare.mjs'
import { startOf } from './lib/processes.mjs'
import { requireGoodSettings } from './lib/settings.mjs'
import { reportTools } from './lib/tools.mjs'

const cleanups = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

function temporary() {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-start-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `npm start`'s script to its end; it must end by itself, before it installs or builds anything. */
function start(environment) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'start.mjs')], {
      env: { PATH: process.env.PATH, HOME: temporary(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.once('close', (code) => resolve({ code, lines: output.trim().split('\n') }))
  })
}

async function hold(port, host) {
  const server = createServer()
  await new Promise((resolve, reject) => server.once('error', reject).listen({ port, host }, resolve))
  cleanups.push(() => server.close())
  return server.address().port
}

describe('npm start refuses with one sentence and leaves nothing behind', () => {
  it('when a port is busy', async () => {
    const port = await hold(0, '127.0.0.1')
    const home = path.join(temporary(), 'data')
    const result = await start({ BERTH_PORT: String(port), BERTH_HOME: home })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringContaining(`port ${port} on 127.0.0.1 is in use`)])
    expect(readdirSync(home)).toEqual([])
  })

  it('when only the IPv6 side of the gateway port is busy', async () => {
    const port = await hold(0, '::1')
    const result = await start({ BERTH_PORT: String(port - 1), BERTH_HOME: path.join(temporary(), 'data') })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringContaining(`port ${port} on ::1 is in use`)])
  })

  it('when BERTH_PORT is not a port', async () => {
    for (const bad of ['80', '65535', 'x', '7480.5', '-1']) {
      const result = await start({ BERTH_PORT: bad, BERTH_HOME: path.join(temporary(), 'data') })
      expect(result).toEqual({ code: 1, lines: [`Berth did not start: BERTH_PORT: a port from 1024 to 65534, not ${bad}`] })
    }
  })

  it('when the data directory holds something else', async () => {
    const home = temporary()
    writeFileSync(path.join(home, 'thesis.tex'), 'mine')
    const result = await start({ BERTH_HOME: home })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringContaining("holds files that are not Berth's")])
    expect(readdirSync(home)).toEqual(['thesis.tex'])
  })

  it('when another Berth uses the data directory, also on other ports', async () => {
    const home = path.join(temporary(), 'data')
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(path.join(home, 'lock'), JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid), bootId: '' }))
    const result = await start({ BERTH_HOME: home, BERTH_PORT: '29480' })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringMatching(`another Berth \\(process ${process.pid}\\) uses the data directory`)])
  })

  it.runIf(process.getuid() === 0)('when the disk is full', async () => {
    const home = temporary()
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', home]).status).toBe(0)
    cleanups.unshift(() => spawnSync('umount', [home]))
    const result = await start({ BERTH_HOME: home, BERTH_PORT: '29482' })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringContaining('is full: 4 MiB free, at least 100 are needed')])
  })

  it('when the data directory cannot be made', async () => {
    const file = path.join(temporary(), 'file')
    writeFileSync(file, '')
    const result = await start({ BERTH_HOME: path.join(file, 'data') })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringContaining('cannot be made (ENOTDIR)')])
  })

  it.each(['BERTH_HOME', 'BERTH_RUNTIME_DIR'])('when %s lies where nothing can be made, such as below /proc', async (name) => {
    const result = await start({ BERTH_HOME: path.join(temporary(), 'data'), [name]: '/proc/x' })
    expect(result.code).toBe(1)
    expect(result.lines).toEqual([expect.stringMatching(/\/proc\/x cannot be made \(ENOENT\); set BERTH_/)])
  })

  it('when a setting is unknown, before anything is made or built', async () => {
    const home = path.join(temporary(), 'data')
    const result = await start({ BERTH_HOME: home, BERTH_PROT: '7480' })
    expect(result).toEqual({ code: 1, lines: ['Berth did not start: BERTH_PROT is not a setting; did you mean BERTH_PORT?'] })
    expect(existsSync(home)).toBe(false)
  })

  it('when the value of a setting is out of its bounds, before the build', () => {
    const root = path.dirname(import.meta.dirname)
    const good = { PATH: process.env.PATH, BERTH_HOME: '/d', BERTH_ROOT: root, BERTH_RUNTIME_DIR: '/r' }
    expect(() => requireGoodSettings(root, { ...good, BERTH_DATABASE_URL: 'mysql://x' })).toThrow(
      'BERTH_DATABASE_URL: a postgresql:// address',
    )
  })
})

describe('the data directory', () => {
  it('of another user is refused', () => {
    const home = temporary()
    expect(() => prepareDataDirectory(home, statSync(home).uid + 1)).toThrow(/belongs to another user/)
  })

  it('that is not writable is refused to an ordinary user', async () => {
    const home = temporary()
    chmodSync(path.dirname(home), statSync(path.dirname(home)).mode)
    chownSync(home, 65_534, 65_534)
    chmodSync(home, 0o500)
    const parent = path.join(home, 'inner')
    const code = `import('${path.join(import.meta.dirname, 'lib/places.mjs')}').then((m) => m.prepareDataDirectory('${parent}'))`
    const copy = path.join(temporary(), 'probe.mjs')
    writeFileSync(copy, code)
    const isRoot = process.getuid() === 0
    if (!isRoot) return expect(() => prepareDataDirectory(parent)).toThrow(/cannot be made \(EACCES\)/)
    process.seteuid(65_534)
    try {
      expect(() => prepareDataDirectory(parent, 65_534)).toThrow(/cannot be made \(EACCES\)/)
    } finally {
      process.seteuid(0)
    }
  })

  it('is made private, also when it was open before', () => {
    const home = path.join(temporary(), 'data')
    mkdirSync(home, { mode: 0o755 })
    prepareDataDirectory(home)
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  it('follows the operating system, and BERTH_HOME wins', () => {
    expect(dataDirectory({ XDG_DATA_HOME: '/x' }, 'linux')).toBe('/x/berth')
    expect(dataDirectory({}, 'darwin')).toMatch(/Library\/Application Support\/Berth$/)
    expect(dataDirectory({ BERTH_HOME: '/data/b' }, 'linux')).toBe('/data/b')
    expect(() => dataDirectory({ BERTH_HOME: 'data' }, 'linux')).toThrow(/absolute/)
  })
})

describe('the folder of sockets', () => {
  it('is short, and a different one for each data directory', () => {
    const one = runtimeDirectory('/a', {}, 1000)
    expect(one).not.toBe(runtimeDirectory('/b', {}, 1000))
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(45)
    const xdg = mkdtempSync('/tmp/bx-')
    cleanups.push(() => rmSync(xdg, { recursive: true }))
    const { uid } = statSync(xdg)
    expect(runtimeDirectory('/a', { XDG_RUNTIME_DIR: xdg }, uid)).toMatch(new RegExp(`^${xdg}/berth/`))
    expect(runtimeDirectory('/a', { XDG_RUNTIME_DIR: xdg }, uid + 1)).toMatch(/^\/tmp\/berth-/)
    expect(runtimeDirectory('/a', { BERTH_RUNTIME_DIR: xdg }, uid)).toBe(xdg)
    for (const bad of ['run', `/${'x'.repeat(45)}`])
      expect(() => runtimeDirectory('/a', { BERTH_RUNTIME_DIR: bad }, uid)).toThrow(/BERTH_RUNTIME_DIR: an absolute path/)
  })

  it('is refused when another user prepared it', () => {
    const folder = path.join(temporary(), 'berth', 'x')
    mkdirSync(folder, { recursive: true })
    expect(() => prepareRuntimeDirectory(folder, statSync(folder).uid + 1)).toThrow(/not a folder of yours/)
    chmodSync(path.dirname(folder), 0o777)
    expect(() => prepareRuntimeDirectory(folder)).toThrow(/not a folder of yours/)
    chmodSync(path.dirname(folder), 0o1777)
    prepareRuntimeDirectory(folder)
    expect(statSync(path.dirname(folder)).mode & 0o1777).toBe(0o1777)
    expect(existsSync(folder)).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

it('an old Node is refused in one sentence', () => {
  expect(() => requireNode('18.20.0')).toThrow('Berth needs Node 20.19 or newer; this is 18.20.0')
  expect(() => requireNode('20.18.9')).toThrow()
  requireNode('20.19.0')
  requireNode('22.0.0')
})

it("an addon is compiled with this Node's own headers, and never with those of another", () => {
  const prefix = temporary()
  const file = path.join(prefix, 'include/node/node_version.h')
  expect(headersOfNode(prefix, '20.19.1')).toBe(null)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '#define NODE_MAJOR_VERSION 20\n#define NODE_MINOR_VERSION 19\n#define NODE_PATCH_VERSION 1\n')
  expect(headersOfNode(prefix, '20.19.1')).toBe(prefix)
  expect(headersOfNode(prefix, '20.20.0')).toBe(null)
})

it('a full disk and a network file system are refused, an ordinary disk is not', () => {
  const disk = (change) => ({ type: 0xef53, bavail: 100_000, bsize: 4096, ...change })
  requireUsableDisk('/d', disk({}))
  expect(() => requireUsableDisk('/d', disk({ bavail: 10 }))).toThrow('is full: 0 MiB free')
  expect(() => requireUsableDisk('/d', disk({ type: 0x6969 }))).toThrow('network file system (NFS)')
  expect(() => requireUsableDisk('/d', disk({ type: 0xfe534d42 }))).toThrow('network file system (SMB)')
})

it('what the machine lacks is said in one line each, with what installs it', () => {
  const lines = []
  const tool = { without: 'nothing runs', install: { linux: 'apt install it' } }
  const tools = [
    { ...tool, name: 'one', has: () => false },
    { ...tool, name: 'there', has: () => true },
    { ...tool, name: 'not needed any more', has: () => false, isNeeded: () => false },
    { ...tool, name: 'only elsewhere', has: () => false, install: { darwin: 'brew install it' } },
  ]
  reportTools('/', { tools, platform: 'linux', print: (line) => lines.push(line) })
  expect(lines).toEqual(['one is missing: nothing runs. To install it: apt install it'])
})
