import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runtimeFor } from '@/server/api/testing/web'
import { hashPassword } from '@/server/auth/passwords'
import { freshDatabase } from '@/testing/databases'
import { type Opened, seedRunning, startGateway, type TestGateway } from '@/testing/gateway'
import { seedMachine } from '@/testing/seed'
import { startSessionHost, type TestHost } from '@/testing/session-host'
import { attachWindow } from '@/testing/terminal-window'
import { until } from '@/testing/until'
import { attachTerminal, type Terminal } from './testing/attach'
import { buildCli, serveApi, type TestCli } from './testing/cli'

const PASSWORD = 'correct horse battery'

describe('the berth command, as a process against a real API and gateway', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let test: TestGateway
  let opened: Opened
  let host: TestHost
  let web: Server
  let cli: TestCli
  let email: string
  const attached: Terminal[] = []
  beforeAll(async () => {
    database = await freshDatabase('sqlite')
    test = await startGateway(database.db)
    opened = await seedRunning(test, { input: { name: 'desk' } })
    email = opened.seed.owner.email
    const passwordHash = await hashPassword(PASSWORD)
    await database.db.identity.updateMany({ where: { userId: opened.seed.owner.id }, data: { passwordHash } })
    web = await serveApi(test, { ...runtimeFor(database.db, test.clock), port: test.dashboardPort })
    ;[host, cli] = await Promise.all([startSessionHost(test, opened), buildCli(test.dashboardPort)])
  })
  afterAll(async () => {
    web.close()
    await test.close()
    await host.end()
    await database.drop()
    cli.remove()
  })
  afterEach(() => {
    for (const terminal of attached.splice(0)) terminal.end()
  })
  const berth = (...args: string[]) => cli.run(args)
  const refused = (sentence: string | RegExp) => ({ code: 1, out: '', err: expect.stringMatching(sentence) })
  const config = () => path.join(cli.home, 'config/berth/cli.json')

  it('signs in by password or token, keeps it in a file of its owner alone, and says in one sentence what is wrong', async () => {
    expect(await berth('ls')).toEqual(refused(/^berth: sign in first: `npm run berth -- login`\n$/))
    expect(await cli.run(['login', '--email', email], 'wrong horse battery\n')).toEqual(
      refused(/^berth: e-mail or password is wrong\n$/),
    )
    const login = await cli.run(['login'], `${email}\n${PASSWORD}\n`)
    expect(login).toEqual({ code: 0, out: `signed in as Mara (${email})\n`, err: '' })
    expect(statSync(config()).mode & 0o777).toBe(0o600)
    expect(readFileSync(config(), 'utf8')).not.toContain(PASSWORD)
    const made = await cli.run(['token', 'create', 'ci', '--scope', 'read', '--email', email], `${PASSWORD}\n`)
    expect(made.out).toMatch(/^berth_pat_[0-9A-Za-z]{49}\n$/)
    const token = made.out.trim()
    const reader = { BERTH_TOKEN: token }
    expect((await cli.run(['ls'], '', reader)).code).toBe(0)
    expect(await cli.run(['park', 'desk'], '', reader)).toEqual(
      refused(/^berth: you may not park, pause, resume or restart this workload with a token without the scope write\n$/),
    )
    expect(await cli.run(['logs', 'desk'], '', reader)).toEqual(
      refused(/^berth: you may not read its logs or record with a token /),
    )
    expect((await berth('token', 'ls')).out).toMatch(new RegExp(`^ci +${token.slice(-4)} +read `, 'm'))
    expect((await berth('token', 'revoke', token.slice(-4))).out).toBe('ci: revoked\n')
    expect(await cli.run(['ls'], '', reader)).toEqual(
      refused(/^berth: the token in BERTH_TOKEN is expired, revoked or unknown: unset/),
    )
    expect((await cli.run(['token', 'create', 'ci', '--days', '0', '--email', email], `${PASSWORD}\n`)).err).toMatch(
      /^berth: --days: at least 1 day\n$/m,
    )
  })

  it('tells usage apart from refusal, and an unknown setting and a Berth that is away from both', async () => {
    for (const args of [
      ['frobnicate'],
      ['ls', '--colour'],
      ['ls', '--kind', 'car'],
      ['new', 'session', '--cpus', 'two'],
      ['rm', 'desk'],
    ])
      expect([args, (await berth(...args)).code]).toEqual([args, 2])
    expect(await berth('park', 'nothing')).toEqual(refused(/^berth: you have no workload called nothing; .*\n$/))
    expect((await cli.run(['ls'], '', { BERTH_TOKEN: 'x' })).err).toBe('berth: BERTH_TOKEN: an API token\n')
    expect(await cli.run(['ls'], '', { BERTH_PORT: '1025' })).toEqual(refused(/^berth: no Berth answers on port 1025 .*\n$/))
    const help = await berth('--help')
    expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^ {2}stop [\s\S]*^ {2}service /m)])
    expect((await berth('stop', '--help')).code).toBe(0)
  })

  it.each([
    [['--memory', '1M'], '--memory: at least 64 MiB'],
    [['--memory', '1000T'], '--memory: at most 64 TiB'],
    [['--mount', 'relative:rw'], '--mount: an absolute path'],
    [['--name', 'Not A Name'], '--name: '],
    [['--idle', '1'], '--idle: at least '],
    [['--gpu', 'any:99'], '--gpu: at most '],
    [['--gpu', 'no-such'], '--gpu: a GPU class of the catalog: '],
    [['--memory', '9999T'], '--memory: at most 64 TiB'],
    [['--', ''], 'the command: the name of a program comes first'],
  ])('new session %j: names the option and its limit in units of people', async (args, sentence) => {
    expect(await berth('new', 'session', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(`berth: ${sentence}`) })
  })

  it('makes, lists, explains, keeps and deletes workloads, and prints objects as JSON', async () => {
    const session = JSON.parse(
      (await berth('new', 'session', '--name', 'huge', '--cpus', '400', '--json', '--', 'sleep', '9')).out,
    )
    expect(session).toMatchObject({ name: 'huge', state: 'queued', spec: { cpus: 400, command: ['sleep', '9'] } })
    const list = JSON.parse((await berth('ls', '--json')).out)
    expect(list.map((row: { name: string }) => row.name)).toEqual(expect.arrayContaining(['huge', 'desk']))
    expect((await berth('why', 'huge')).out).toMatch(/^huge waits: .*400 CPU/)
    expect((await berth('ls')).out).toMatch(/^desk +session +running +m-\w+ +you /m)
    expect((await berth('keep', 'desk')).out).toBe('desk: has no idle stop: nothing to keep\n')
    expect((await berth('restart', 'desk')).out).toBe('desk: is running already\n')
    expect((await berth('recover', 'desk')).out).toBe('desk: is running already\n')
    expect((await berth('restart', 'huge')).out).toBe('huge: is queued already\n')
    expect(await berth('logs', 'huge')).toEqual(refused(/^berth: huge has no logs yet: it is queued\n$/))
    expect(await berth('look', 'desk')).toEqual(refused('cannot look longer at a workload that is running'))
    expect((await berth('look', 'desk', '--minutes', '5')).err).toBe('berth: --minutes: at least 15 minutes\n')
    expect((await berth('open', 'desk')).out).toBe(
      `http://berth.localhost:${test.dashboardPort}/workloads/${opened.workload.id}/terminal\n`,
    )
    expect((await berth('rm', 'huge', '--yes')).out).toMatch(/^huge: canceled/)
    expect((await berth('rm', 'huge', '--yes')).code).toBe(1)
  })

  it('changes what a page can change: name, what parks it, shares, folders; and shows machines and the catalog', async () => {
    expect((await berth('rename', 'desk', 'bench')).out).toMatch(/^bench: running/)
    expect((await berth('rename', 'bench', 'desk')).code).toBe(0)
    const set = await berth('set', 'desk', '--idle', '90', '--park-at', '0 20 * * 1-5', '--time-zone', 'Europe/Paris', '--json')
    const parkAt = { cron: '0 20 * * 1-5', timeZone: 'Europe/Paris' }
    expect(JSON.parse(set.out).settings).toEqual({ idleMinutes: 90, limitMinutes: null, parkAt })
    expect((await berth('set', 'desk', '--limit', '120')).out).toBe(
      'desk: parks when nothing happened for 90 minutes, when it has run for 120 minutes, at 0 20 * * 1-5 (Europe/Paris)\n',
    )
    const never = ['--idle', 'never', '--limit', 'never', '--park-at', 'never']
    expect(await berth('set', 'desk', ...never)).toEqual({ code: 0, out: 'desk: nothing parks it by itself\n', err: '' })
    expect((await berth('set', 'desk', '--limit', '1')).err).toMatch(/^berth: --limit: at least/)
    expect((await berth('share', 'set', 'desk', 'everyone', 'view')).code).toBe(0)
    expect((await berth('share', 'ls', 'desk')).out).toMatch(/everyone in .* view\n/)
    expect((await berth('share', 'rm', 'desk', 'everyone')).code).toBe(0)
    expect(await berth('share', 'set', 'desk', 'nobody@example.org', 'use')).toEqual(refused('nobody here has the e-mail'))
    expect(JSON.parse((await berth('export', 'desk')).out)).toMatchObject({ format: 'berth-workload', name: 'desk' })
    expect((await berth('machine', 'ls')).out).toMatch(/^MACHINE .*\nm-\w+ +connected /)
    const lab = (await berth('machine', 'ls')).out.match(/^m-\w+/m)?.[0] ?? ''
    expect((await berth('machine', 'gone', lab)).code).toBe(2)
    expect(await berth('machine', 'gone', lab, '--yes')).toEqual(refused(/is connected, or was within the last 30 seconds/))
    const away = await seedMachine(database.db, opened.seed, { name: 'burnt' })
    const unheard = { controllerId: null, lastContactAt: new Date(0) }
    await database.db.machineContact.update({ where: { machineId: away.id }, data: unheard })
    expect((await berth('machine', 'gone', 'burnt', '--yes')).out).toBe('burnt: given up; 0 workloads lost\n')
    expect((await berth('catalog')).out).toMatch(/^jupyterlab +notebook /m)
    expect((await berth('quarantine')).out).toBe('Berth is not in quarantine\n')
  })

  it('changes the packages of a notebook that does not run, and of nothing else', async () => {
    const asked = ['--name', 'lab', '--cpus', '400', '--require', 'nmpy']
    expect((await berth('new', 'notebook', ...asked)).out).toMatch(/^lab: queued/)
    const told = 'lab: nothing parks it by itself\nlab: packages numpy>=2, pandas\n'
    expect(await berth('set', 'lab', '--require', 'numpy>=2', 'pandas')).toEqual({ code: 0, out: told, err: '' })
    expect((await berth('set', 'lab', '--require', 'x @ http://y')).err).toMatch(/^berth: --require: a package name with/)
    expect(JSON.parse((await berth('set', 'lab', '--require', '--json')).out).spec.requirements).toEqual([])
    expect((await berth('set', 'desk', '--require', 'numpy')).err).toBe('berth: --require: only a notebook has them\n')
  })

  it('runs one command beside the terminal: its input, its output and its exit code', async () => {
    const script = 'cat; echo "sum $((40+2))" >&2; exit 7'
    const ran = await cli.run(['exec', 'desk', '--', '/bin/sh', '-c', script], 'given\n')
    expect(ran).toEqual({ code: 7, out: expect.stringMatching(/^given\n/), err: '' })
    expect(ran.out).toContain('sum 42')
    const none = { code: 127, out: '', err: 'berth: there is no program no-such-program in this session\n' }
    expect(await cli.run(['exec', 'desk', '--', 'no-such-program'], '')).toEqual(none)
  })

  it('prints logs, and saves a record once', async () => {
    const instance = { workloadId: opened.workload.id, placementId: opened.placementId, workloadGen: 1 }
    test.kept.records.print(instance, 'terminal', '$ make\r\nerror 7\r\n')
    test.kept.records.print(instance, 'build', 'collected numpy\n')
    expect((await berth('logs', 'desk')).out).toContain('error 7')
    expect((await berth('logs', 'desk', '--tail', '7')).out).toHaveLength(7)
    expect((await berth('logs', 'desk', '--build')).out).toBe('collected numpy\n')
    expect((await berth('record', 'desk', '-', '--raw', '--start', '1')).out).toContain('error 7')
    expect((await berth('logs', 'desk', '--start', '9')).err).toBe('berth: --start: 9 is not kept; there are 1\n')
    expect(await berth('record', 'desk')).toEqual({ code: 0, out: '', err: 'saved as desk.cast\n' })
    expect(readFileSync(path.join(cli.home, 'desk.cast'), 'utf8')).toContain('error 7')
    expect(await berth('record', 'desk')).toEqual(refused('exists already'))
  })

  const attach = (args: string[]) => {
    const terminal = attachTerminal(cli, args)
    attached.push(terminal)
    return terminal
  }

  it('attaches a real terminal: raw keys, sizes, what was printed while the gateway was away, and detaches', async () => {
    const terminal = attach([])
    await terminal.sees(/\$ $/)
    terminal.type('stty size; echo sum-$((40+2))\r')
    await terminal.sees(/30 100[\s\S]*sum-42/)
    terminal.resize(90, 20)
    terminal.type("until stty size | grep -q '20 90'; do sleep 0.1; done; echo resized-$((1+1))\r")
    await terminal.sees('resized-2')
    terminal.type('cat\r')
    await terminal.sees(/cat\r+\n.\[\?2004l/)
    terminal.type('pi-ng\n')
    await terminal.sees(/pi-ng[\s\S]*pi-ng/)
    terminal.type('\x03') // reaches the program, not the command
    await terminal.sees(/\^C[\s\S]*\$ $/) // what is typed before the prompt is back may be flushed by the interrupt
    terminal.type('(sleep 1; echo while-$((2+2))-away) & echo alive-$((1+1))\r')
    await terminal.sees('alive-2')
    await test.restart()
    await terminal.sees('connected again')
    await terminal.sees('while-4-away')
    terminal.type('echo back-$((9+9))\r')
    await terminal.sees('back-18')
    terminal.type('\x1dd')
    expect(await terminal.left()).toBe(0)
    expect(terminal.text()).toContain('detached from desk')
  })

  it('watches while somebody else types, and takes control when asked', async () => {
    const first = await attachWindow(test, opened)
    await until('it types', () => first.control.mode === 'control')
    const terminal = attach([])
    await terminal.sees('somebody else types here')
    terminal.type('echo nothing-of-this\r')
    terminal.type('\x1dt')
    await terminal.sees('you type now')
    terminal.type('echo taken-$((3+4))\r')
    await terminal.sees('taken-7')
    expect(terminal.text()).not.toContain('nothing-of-this')
    expect(first.control.mode).toBe('view')
    const viewer = attach(['--view'])
    await viewer.sees('taken-7')
    viewer.type('\x1dd')
    terminal.type('\x1dd')
    expect([await viewer.left(), await terminal.left()]).toEqual([0, 0])
    first.socket.close(1000)
  })

  it('says that a program has ended, which the state alone does not', async () => {
    await database.db.workload.update({ where: { id: opened.workload.id }, data: { exitCode: 3 } })
    expect((await berth('ls')).out).toMatch(/^desk .* running .* its program has ended with exit code 3$/m)
    expect((await berth('why', 'desk')).out).toBe('desk: running (its program has ended with exit code 3)\n')
    expect(JSON.parse((await berth('why', 'desk', '--json')).out)).toMatchObject({ state: 'running', exitCode: 3 })
  })

  it('signs out: its token is worth nothing any more, and forgotten', async () => {
    const kept = JSON.parse(readFileSync(config(), 'utf8')).tokens[test.dashboardPort]
    expect((await berth('logout')).out).toBe('signed out\n')
    expect(() => statSync(config())).toThrow('ENOENT')
    expect(await cli.run(['ls'], '', { BERTH_TOKEN: kept })).toEqual(refused('the token in BERTH_TOKEN is'))
  })
})
