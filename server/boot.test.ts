import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const REPOSITORY = path.dirname(import.meta.dirname)
const READY = `process.on('SIGTERM', () => process.exit(0)); process.on('disconnect', () => process.exit(0)); process.send({ type: 'ready' })`
let bundles: string
let root: string
const children: ChildProcess[] = []

beforeAll(async () => {
  bundles = mkdtempSync(path.join(tmpdir(), 'berth-boot-bundle-'))
  symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(bundles, 'node_modules'))
  await build({
    stdin: {
      contents: `import { boot } from './server/boot'\nawait boot()\nprocess.stdout.write('up\\n')`,
      resolveDir: REPOSITORY,
      loader: 'ts',
    },
    outfile: path.join(bundles, 'web.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})
afterAll(() => rmSync(bundles, { recursive: true, force: true }))

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'berth-boot-'))
  mkdirSync(path.join(root, 'dist'))
  mkdirSync(path.join(root, 'home'), { mode: 0o700 })
  for (const name of ['prisma', 'catalog', 'package.json']) symlinkSync(path.join(REPOSITORY, name), path.join(root, name))
  controllerIs(READY)
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(root, { recursive: true, force: true })
})

function controllerIs(program: string): void {
  writeFileSync(path.join(root, 'dist/controller.mjs'), program)
}
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

type Web = { child: ChildProcess; out: () => string; log: () => string; ended: Promise<number | null> }
async function start(environment: Record<string, string> = {}): Promise<Web> {
  const env = {
    ...process.env,
    BERTH_HOME: path.join(root, 'home'),
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: '/tmp/berth-boot',
    BERTH_PORT: String(await freePort()),
    ...environment,
  }
  const child = spawn(process.execPath, [path.join(bundles, 'web.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let out = ''
  let log = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (log += chunk))
  // Not at its exit: what it said last may still be on its way then.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, out: () => out, log: () => log, ended }
}
async function printed(web: Web, text: string): Promise<void> {
  while (!web.out().includes(text)) {
    const stop = AbortSignal.timeout(60_000)
    await Promise.race([
      once(web.child.stdout as NodeJS.ReadableStream & NodeJS.EventEmitter, 'data', { signal: stop }),
      web.ended.then(() => Promise.reject(new Error(`ended: ${web.out()}${web.log()}`))),
    ])
  }
}

describe('boot', () => {
  it('A1, A15, K1, K11: prints the link of the first account once everything is ready, and stores only its hash', async () => {
    const web = await start()
    await printed(web, 'berth_setup_')
    const link = /http:\/\/localhost:\d+\/setup#(berth_setup_[0-9A-Za-z]{49})\s/.exec(web.out())
    const secret = link?.[1] ?? ''
    const db = new Database(path.join(root, 'home/berth.db'), { readonly: true })
    const rows = db.prepare('SELECT secret_hash FROM setup WHERE used_at IS NULL').all()
    // No account, no token, no way in but the link.
    for (const table of ['user', 'identity', 'membership', 'api_token', 'sign_in', 'join_token'])
      expect([table, db.prepare(`SELECT count(*) AS rows FROM "${table}"`).get()]).toEqual([table, { rows: 0 }])
    db.close()
    expect(rows).toEqual([{ secret_hash: createHash('sha256').update(secret).digest('hex') }])
    expect(web.log()).not.toContain(secret.slice(0, 30))
    expect(readFileSync(path.join(root, 'home/berth.db')).includes(secret)).toBe(false)
    for (const file of ['berth.db', 'berth.db-wal', 'berth.db-shm', 'keys/auth.key', 'lock', 'logs/web.log'])
      expect([file, statSync(path.join(root, 'home', file)).mode & 0o777]).toEqual([file, 0o600])
  })

  it('A1: prints no secret where a service keeps what is printed', async () => {
    const web = await start({ XPC_SERVICE_NAME: 'berth' })
    await printed(web, 'setup-link')
    expect(web.out()).not.toContain('berth_setup_')
    const elsewhere = await start({ XPC_SERVICE_NAME: 'application.of.a.terminal', BERTH_HOME: path.join(root, 'other') })
    await printed(elsewhere, 'berth_setup_')
  })

  it('answers before the controller is ready, and does not print the link until it is', async () => {
    controllerIs(
      `process.on('SIGTERM', () => process.exit(0)); process.on('disconnect', () => process.exit(0)); setInterval(() => {}, 1000)`,
    )
    const web = await start()
    await printed(web, 'up\n')
    expect(web.out()).not.toContain('berth_setup_')
  })

  it('ends the controller and gives the directory back at SIGTERM', async () => {
    controllerIs(
      `import { writeFileSync } from 'node:fs'; process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(path.join(root, 'ended'))}, ''); process.exit(0) }); process.on('disconnect', () => process.exit(0)); process.send({ type: 'ready' })`,
    )
    const web = await start()
    await printed(web, 'Berth is ready')
    web.child.kill('SIGTERM')
    expect(await web.ended).toBe(0)
    expect(existsSync(path.join(root, 'ended'))).toBe(true)
    expect(existsSync(path.join(root, 'home/lock'))).toBe(false)
  })

  it('refuses the data directory of another Berth, and takes over one that was killed', async () => {
    const first = await start()
    await printed(first, 'Berth is ready')
    const second = await start()
    expect(await second.ended).toBe(1)
    expect(second.out()).toBe(
      `Berth did not start: another Berth (process ${first.child.pid}) uses the data directory ${path.join(root, 'home')}; stop it first\n`,
    )
    first.child.kill('SIGKILL')
    await first.ended
    await printed(await start(), 'Berth is ready')
  })

  it.each([
    [{ BERTH_PROT: '7480' }, 'BERTH_PROT is not a setting; did you mean BERTH_PORT?'],
    [{ BERTH_PORT: '80' }, 'BERTH_PORT: a port from 1024 to 65534'],
    [{ BERTH_CATALOG: '/nowhere/catalog.yaml' }, 'BERTH_CATALOG: /nowhere/catalog.yaml cannot be read (ENOENT)'],
    [{ BERTH_DATABASE_URL: 'postgres://127.0.0.1:1/berth' }, 'BERTH_DATABASE_URL: the database cannot be used (connect ECONN'],
    [{ BERTH_HOME: '/etc/hostname/berth' }, 'the data directory /etc/hostname/berth is not writable'],
  ])('%j: ends with code 1 and one sentence', async (environment, sentence) => {
    const web = await start(environment)
    expect(await web.ended).toBe(1)
    expect(web.out()).toContain(`Berth did not start: `)
    expect(web.out()).toContain(sentence)
    expect(web.out().trim().split('\n')).toHaveLength(1)
  })

  it('refuses a newer database', async () => {
    const first = await start()
    await printed(first, 'Berth is ready')
    first.child.kill('SIGTERM')
    await first.ended
    const db = new Database(path.join(root, 'home/berth.db'))
    db.exec(
      `INSERT INTO "_prisma_migrations" ("id","checksum","finished_at","migration_name","started_at","applied_steps_count") VALUES ('x','x',1,'9999_later',1,1)`,
    )
    db.close()
    const later = await start()
    expect(await later.ended).toBe(1)
    expect(later.out()).toContain('9999_later, which this version does not know')
  })

  it('refuses when another program holds the port on IPv6', async () => {
    const taken = createServer().listen(0, '::1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const web = await start({ BERTH_PORT: String(port) })
    expect(await web.ended).toBe(1)
    expect(web.out()).toContain(`port ${port} on [::1] is in use`)
    taken.close()
  })

  it('ends when its controller cannot start', async () => {
    controllerIs('process.exit(3)')
    const web = await start()
    expect(await web.ended).toBe(1)
    expect(web.out()).toContain('the controller ended three times')
  })
})
