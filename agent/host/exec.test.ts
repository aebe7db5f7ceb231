import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doorSocket } from '@/protocol/paths'
import type { Driver } from '../drivers/driver'
import { createProcessDriver } from '../drivers/process/process-driver'
import { ProcessMachine } from '../testing/process-machine'
import { TerminalClient } from '../testing/terminal-client'
import { besides } from './besides'
import { Execs } from './exec'
import { SegmentLog } from './segment-log'
import { TerminalServer } from './terminal-server'

describe('a second command beside a terminal', () => {
  let machine: ProcessMachine
  let driver: Driver
  beforeAll(async () => {
    machine = await ProcessMachine.make()
    driver = createProcessDriver(machine.deps)
  })
  afterAll(() => machine.clean(driver))

  it('runs in a sandbox of its own with the same folder and rights, and tells its code after its last byte', async () => {
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(client, 'echo shared > file')
    const run = (...command: string[]) =>
      new TerminalClient(doorSocket(machine.deps.runtimeDir, spec.placementId, 'terminal'))
        .send({ type: 'exec', protocol: 1, attachmentId: 'x', command })
        .until({ message: 'exit' })
    const ended = await run('/bin/sh', '-c', 'id -u; cat file; ls /root 2>&1; grep -c Seccomp:.2 /proc/self/status; exit 7')
    expect(ended.output.toString()).toMatch(/^1000\nshared\nls: .*\n1\n$/)
    expect(ended.messages.at(-1)).toEqual({ type: 'exit', code: 7 })
    const many = await run('/bin/sh', '-c', 'head -c 3000000 /dev/zero')
    expect(many.output.byteLength).toBe(3_000_000)
    // What never began is told by a code and a fault alone: the words of what wraps it are nobody's.
    for (const [name, code, fault] of [
      ['/no/such/program', 127, 'command_missing'],
      ['no-such-program', 127, 'command_missing'],
      ['/workspace/file', 126, 'command_refused'],
      ['/workspace', 126, 'command_refused'],
    ] as const) {
      const { messages, output } = await run(name)
      expect([messages.at(-1), output.toString()]).toEqual([{ type: 'exit', code, fault }, ''])
    }
    const own = await run('/bin/sh', '-c', 'no-such-program; exit $?')
    expect([own.messages.at(-1), own.output.toString()]).toEqual([
      { type: 'exit', code: 127 },
      expect.stringMatching('not found'),
    ])
    expect(await machine.sh(client, 'echo undisturbed')).toBe('undisturbed')
    client.close()
    await machine.remove(driver, spec)
  })
})

it('keeps every wrapper of a session’s program and changes only what it runs', () => {
  const command = ['/bin/sh', '-c', 'x', '/s/status', 'setpriv', '--', 'bwrap', '--chdir', '/w', '--', '/bin/bash', '--', '-l']
  expect(besides({ command, statusFile: '/s/status' }, ['ls', '--', 'a b'], '/s/two')).toEqual([
    ...['/bin/sh', '-c', 'x', '/s/two', 'setpriv', '--', 'bwrap', '--chdir', '/w', '--', 'ls', '--', 'a b'],
  ])
  expect(besides({ command: ['/bin/bash'], statusFile: null }, ['ls'], 'x')).toEqual(['ls'])
  expect(besides({ command: ['/bin/bash'], statusFile: '/s/status' }, ['ls'], 'x')).toBeNull()
})

it('leaves no file behind of a command that was ended early', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'exec-'))
  const statusFile = join(dir, 'status')
  const command = ['/bin/sh', '-c', ': > "$0"; shift 2; exec "$@"', statusFile, 'bwrap', '--', 'a session']
  const execs = new Execs({ command, environment: { PATH: '/usr/bin:/bin' }, cwd: dir, statusFile })
  execs.start(['sleep', '60'], { output: () => undefined, exit: () => undefined })
  await expect.poll(() => existsSync(`${statusFile}.exec-1`), { timeout: 60_000 }).toBe(true)
  execs.close()
  await expect.poll(() => existsSync(`${statusFile}.exec-1`)).toBe(false)
  rmSync(dir, { recursive: true, force: true })
})

it.each([
  ['no-such-program', 127, 'command_missing'],
  ['./', 126, 'command_refused'],
  ['true', 0, null],
] as const)('tells how a command without a sandbox ended: %s', async (name, code, fault) => {
  const execs = new Execs({ command: ['a session'], environment: { PATH: '/usr/bin:/bin' }, cwd: tmpdir(), statusFile: null })
  const ended = await new Promise((resolve) => {
    execs.start([name], { output: () => undefined, exit: (...how) => resolve(how) })
  })
  expect(ended).toEqual([code, fault])
})

it('ends with its window, also when it reads nothing of what was sent to it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'exec-'))
  const log = new SegmentLog(join(dir, 'record'), { segmentBytes: 65_536, bytesMax: 262_144, tailBytes: 0 })
  const execs = new Execs({ command: ['a session'], environment: { PATH: '/usr/bin:/bin' }, cwd: dir, statusFile: null })
  const server = new TerminalServer({ log, execs, workloadGen: 1, cols: 80, rows: 24 })
  await server.listen(join(dir, 'terminal.sock'))
  const window = new TerminalClient(join(dir, 'terminal.sock'))
  const command = ['/bin/sh', '-c', 'echo "pid=$$."; exec sleep 60']
  await window.send({ type: 'exec', protocol: 1, attachmentId: 'x', command }).until({ text: '.' })
  const pid = Number(/pid=(\d+)/.exec(window.output.toString())?.[1])
  for (let frame = 0; frame < 64; frame++) window.type(0, 'x'.repeat(32_768))
  await window.until({ message: 'size' })
  window.close()
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
  server.close()
  rmSync(dir, { recursive: true, force: true })
})
