import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { startOf } from './lib/processes.mjs'

const cleanups = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

function temporary() {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-stop-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A program of a data directory that lives until it is told to end. */
async function program(home, name, end = 'process.exit(0)') {
  const file = path.join(home, 'host', 'a'.repeat(32), name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `process.on('SIGTERM', () => { ${end} }); setInterval(() => {}, 1000); console.log('up')`)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

function hostFile(home, name, host) {
  const folder = path.join(home, 'instances', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'host.json'), JSON.stringify({ kind: 'terminal', childPid: null, ...host }))
}

function berth(args, environment) {
  const script = path.join(import.meta.dirname, 'berth.mjs')
  const env = { PATH: process.env.PATH, HOME: environment.BERTH_HOME, ...environment }
  return spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' })
}

const isAlive = (child) => child.exitCode === null && child.signalCode === null

it('stop --all ends web, every session-host and the egress process of this data directory, and nothing else', async () => {
  const home = temporary()
  const web = await program(home, 'web.mjs')
  const host = await program(home, 'session-host.mjs')
  const egress = await program(home, 'egress.mjs')
  const foreign = await program(temporary(), 'session-host.mjs')
  const reused = await program(temporary(), 'other.mjs')
  writeFileSync(path.join(home, 'lock'), JSON.stringify({ pid: web.pid, startedAt: startOf(web.pid), bootId: '' }))
  hostFile(home, 'one', { hostPid: host.pid, hostStart: startOf(host.pid), workloadId: 'w-1' })
  const db = new Database(path.join(home, 'berth.db'))
  db.exec("CREATE TABLE workload (id TEXT, name TEXT); INSERT INTO workload VALUES ('w-1', 'desk')")
  db.close()
  hostFile(home, 'dead', { hostPid: reused.pid, hostStart: '1', workloadId: 'w-2' })
  const result = berth(['stop', '--all'], { BERTH_HOME: home })
  expect(result.status).toBe(0)
  expect(result.stdout.trim().split('\n').sort()).toEqual(
    [
      `ended dashboard, controller and agent (process ${web.pid})`,
      `ended egress (process ${egress.pid})`,
      `ended terminal of desk (process ${host.pid})`,
    ].sort(),
  )
  const marked = (name) => existsSync(path.join(home, 'instances', name, 'ended-by-stop'))
  expect([marked('one'), marked('dead')]).toEqual([true, false])
  for (const child of [web, host, egress]) await expect.poll(() => isAlive(child)).toBe(false)
  expect([isAlive(foreign), isAlive(reused)]).toEqual([true, true])
  expect(berth(['stop', '--all'], { BERTH_HOME: home }).stdout).toBe('nothing of Berth was running\n')
})

it('stop without --all leaves workloads alone', async () => {
  const home = temporary()
  const host = await program(home, 'session-host.mjs')
  hostFile(home, 'one', { hostPid: host.pid, hostStart: startOf(host.pid), workloadId: 'w-1' })
  expect(berth(['stop'], { BERTH_HOME: home }).stdout).toBe('nothing of Berth was running\n')
  expect(isAlive(host)).toBe(true)
})

it.runIf(process.platform === 'linux')('service install without a systemctl says that, and writes nothing', () => {
  const home = temporary()
  const tools = path.join(home, 'bin')
  mkdirSync(tools)
  const told = berth(['service', 'install'], { BERTH_HOME: path.join(home, 'data'), HOME: home, PATH: tools })
  expect(told).toMatchObject({ status: 1, stderr: expect.stringMatching(/^no service was installed: .* no systemctl; .*\n$/) })
  expect(existsSync(path.join(home, '.config'))).toBe(false)
})

it.runIf(process.platform === 'linux')(
  'service install writes a unit whose stop spares sessions, and uninstall removes it',
  () => {
    const home = temporary()
    const tools = path.join(home, 'bin')
    mkdirSync(tools)
    const log = path.join(home, 'asked')
    writeFileSync(path.join(tools, 'systemctl'), `#!/bin/sh\necho "$@" >> ${log}\n`)
    chmodSync(path.join(tools, 'systemctl'), 0o755)
    const environment = {
      BERTH_HOME: path.join(home, 'da ta%'),
      HOME: home,
      PATH: `${home}/node_modules/.bin:${tools}:${process.env.PATH}`,
      BERTH_PORT: '29484',
      BERTH_CATALOG: '/etc/my catalog.yaml',
      BERTH_TOKEN: 'berth_pat_of_the_command_line',
    }
    const unit = path.join(home, '.config/systemd/user/berth.service')
    expect(berth(['service', 'install'], environment).stdout).toContain('starts at each login')
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain('KillMode=process')
    expect(text).not.toContain('node_modules/.bin')
    expect(text).toContain(' "BERTH_CATALOG=/etc/my catalog.yaml"\n')
    expect(text).not.toContain('berth_pat_')
    expect(statSync(unit).mode & 0o777).toBe(0o600)
    expect(readlinkSync(path.join(path.dirname(unit), 'default.target.wants/berth.service'))).toBe(unit)
    expect(text).toContain(`Environment="BERTH_HOME=${home}/da ta%%" BERTH_PORT=29484`)
    expect(readFileSync(log, 'utf8')).toContain('--user enable --now berth.service')
    expect(berth(['service', 'uninstall'], environment).stdout).toContain(`removed ${unit}`)
    expect(existsSync(unit)).toBe(false)
    expect(existsSync(path.join(path.dirname(unit), 'default.target.wants/berth.service'))).toBe(false)
    expect(readFileSync(log, 'utf8')).toContain('--user disable --now berth.service')
    const wrong = berth(['service', 'instal'], environment)
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('usage: berth stop')])
    const { BERTH_TOKEN: _wrong, ...others } = environment
    expect(berth(['stop', '--help'], others)).toMatchObject({ status: 0, stdout: expect.stringContaining('stop') })
  },
)
