// Ways to Berth that are not a browser on the same desk: the command line, another computer, an ordinary user.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { Berth } from './support/berth'
import { PERSON, signIn, signUp, terminalRows, typeLine, visit, watchForFaults } from './support/pages'

const root = path.resolve(import.meta.dirname, '..')
/** Users and network namespaces can only be made by root; elsewhere these journeys do not exist. */
const asRoot = process.getuid?.() === 0 ? test : null

test('the command line does what the pages do', async ({ browser }) => {
  const berth = await Berth.create()
  const home = mkdtempSync(path.join(tmpdir(), 'berth-cli-home-'))
  const page = await (await browser.newContext()).newPage()
  const cli = (args: string[], input = '') => runCli(berth, home, { args, input })
  try {
    await berth.start()
    await signUp(page, (await cli(['setup-link'])).output.trim())
    expect(await cli(['setup-link'])).toMatchObject({ code: 1, errors: expect.stringContaining('set-up is closed') })
    expect(await cli(['ls'])).toMatchObject({ code: 1, errors: expect.stringContaining('login') })
    expect(await cli(['login', '--email', PERSON.email], `${PERSON.password}\n`)).toMatchObject({ code: 0 })
    expect(await cli(['new', 'session', '--name', 'from-the-shell'])).toMatchObject({ code: 0 })
    await expect.poll(async () => (await cli(['ls'])).output, { timeout: 30_000 }).toMatch(/from-the-shell.*running/)
    const attached = await cli(['attach', 'from-the-shell'], 'echo typed-$((40+2)); exit 7\n')
    expect(attached.output).toContain('typed-42')
    expect(attached.errors).toContain('ended with 7')
    expect((await cli(['logs', 'from-the-shell'])).output).toContain('typed-42')
    expect(await cli(['new', 'session', '--name', 'too-big', '--gpu', 'h100-80gb'])).toMatchObject({ code: 0 })
    expect((await cli(['why', 'too-big'])).output).toContain('h100-80gb')
    for (const name of ['from-the-shell', 'too-big']) expect(await cli(['rm', name, '--yes'])).toMatchObject({ code: 0 })
    expect(await cli(['attach', 'nobody'])).toMatchObject({ code: 1, errors: expect.stringContaining('nobody') })
  } finally {
    await page.context().close()
    await berth.destroy()
    rmSync(home, { recursive: true, force: true })
  }
})

asRoot?.(
  'over ssh -L, from another computer: both ports forwarded, sign in and type in a session',
  async ({ browser, playwright }) => {
    const berth = await Berth.create()
    const other = await OtherComputer.create()
    const page = await (await browser.newContext()).newPage()
    let remote: Browser | null = null
    try {
      await signUp(page, await berth.start())
      await other.forward([berth.port, berth.port + 1])
      remote = await playwright.chromium.launch({ ...LAUNCH, executablePath: other.chromium() })
      const there = await (await remote.newContext()).newPage()
      const faults = watchForFaults(there)
      await signIn(there, berth.origin)
      await typeInSession(there, berth.origin)
      expect(faults).toEqual([])
    } finally {
      await remote?.close()
      await page.context().close()
      await other.destroy()
      await berth.destroy()
    }
  },
)

asRoot?.('an ordinary user starts Berth and works in a sandboxed session', async ({ browser }) => {
  const user = 'berth-e2e'
  spawnSync('userdel', [user])
  expect(spawnSync('useradd', ['--system', '--user-group', '--no-create-home', user]).status).toBe(0)
  const uid = Number(spawnSync('id', ['-u', user], { encoding: 'utf8' }).stdout)
  const home = mkdtempSync(path.join(tmpdir(), 'berth-e2e-user-'))
  chownSync(home, uid, uid)
  chmodSync(home, 0o700)
  const berth = await Berth.create(home, asUser(user))
  const page = await (await browser.newContext()).newPage()
  try {
    await signUp(page, await berth.start())
    await typeInSession(page, berth.origin)
    const { hostPid } = berth.hosts().find((host) => host.childPid !== null) ?? { hostPid: 0 }
    expect(spawnSync('ps', ['-o', 'user=', '-p', String(hostPid)], { encoding: 'utf8' }).stdout.trim()).toBe(user)
  } finally {
    await page.context().close()
    await berth.destroy()
    spawnSync('userdel', [user])
  }
})

const LAUNCH = { args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] }

async function typeInSession(page: Page, origin: string): Promise<void> {
  await visit(page, `${origin}/new?kind=session`)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/terminal$/)
  await typeLine(page, 'echo typed-$((40+2))')
  await expect(terminalRows(page)).toContainText('typed-42')
}

async function runCli(berth: Berth, home: string, { args, input }: { args: string[]; input: string }) {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, BERTH_HOME: berth.home, BERTH_PORT: String(berth.port) }
  const child = spawn(process.execPath, ['scripts/berth.mjs', ...args], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdin.write(input)
  // A pipe that ends is a person who leaves: it stays open until the command is done. What it printed is all here at `close`.
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

/**
 * The checkout, seen from a neutral place: an ordinary user cannot look below another one's home folder. Arguments after the
 * script are the checkout, where it is shown, the user and Node.
 */
function asUser(user: string): string[] {
  const script =
    'mount --bind "$1" "$2" && cd "$2" && exec setpriv --reuid "$3" --regid "$3" --init-groups "$4" scripts/start.mjs'
  return ['unshare', '--mount', 'sh', '-c', script, 'sh', root, '/mnt', user, process.execPath]
}

/** A network namespace of its own with an ssh client, and a real sshd on this side. Nothing but port forwards joins the two. */
class OtherComputer {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'berth-e2e-ssh-'))
  readonly #name = `berth-e2e-${process.pid}`
  readonly #running: ChildProcess[] = []
  readonly #net = `10.${200 + (process.pid % 50)}.${process.pid % 250}`

  static async create(): Promise<OtherComputer> {
    const other = new OtherComputer()
    other.#join()
    await other.#serve()
    return other
  }

  /** Forwards these ports with the same numbers on both sides, as the README says. */
  async forward(ports: number[]): Promise<void> {
    const forwards = ports.flatMap((port) => ['-L', `${port}:127.0.0.1:${port}`])
    const options = [
      'StrictHostKeyChecking=no',
      `UserKnownHostsFile=${this.#file('known')}`,
      'ExitOnForwardFailure=yes',
      'BatchMode=yes',
    ]
    const client = this.#start([
      ...['ip', 'netns', 'exec', this.#name, 'ssh', '-v', '-N', '-F', 'none', '-i', this.#file('key'), '-p', '2222'],
      ...options.flatMap((option) => ['-o', option]),
      ...forwards,
      `root@${this.#net}.1`,
    ])
    await printed(client, /Entering interactive session/)
  }

  /** A program for Playwright that runs Chromium over there. */
  chromium(): string {
    const file = this.#file('chromium')
    writeFileSync(file, `#!/bin/sh\nexec ip netns exec ${this.#name} ${process.env.CHROMIUM ?? '/usr/bin/chromium'} "$@"\n`, {
      mode: 0o755,
    })
    return file
  }

  async destroy(): Promise<void> {
    for (const child of this.#running) child.kill('SIGTERM')
    spawnSync('ip', ['netns', 'del', this.#name])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #join(): void {
    const [here, there] = [`bh${process.pid}`.slice(0, 15), `bt${process.pid}`.slice(0, 15)]
    must('ip', 'netns', 'add', this.#name)
    must('ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', this.#name)
    must('ip', 'addr', 'add', `${this.#net}.1/24`, 'dev', here)
    must('ip', 'link', 'set', here, 'up')
    const inside = ['-n', this.#name]
    must('ip', ...inside, 'addr', 'add', `${this.#net}.2/24`, 'dev', there)
    for (const device of [there, 'lo']) must('ip', ...inside, 'link', 'set', device, 'up')
  }

  async #serve(): Promise<void> {
    for (const name of ['key', 'host']) must('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', this.#file(name))
    must('cp', this.#file('key.pub'), this.#file('authorized'))
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    const options = [
      ...[`HostKey=${this.#file('host')}`, `AuthorizedKeysFile=${this.#file('authorized')}`, 'PermitRootLogin=prohibit-password'],
      ...['StrictModes=no', 'UsePAM=no', `PidFile=${this.#file('pid')}`, `ListenAddress=${this.#net}.1`],
    ]
    const server = this.#start([
      '/usr/sbin/sshd',
      '-D',
      '-e',
      '-f',
      '/dev/null',
      '-p',
      '2222',
      ...options.flatMap((o) => ['-o', o]),
    ])
    await printed(server, /Server listening/)
  }

  #start([file = '', ...args]: string[]): ChildProcess {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#running.push(child)
    return child
  }

  #file(name: string): string {
    return path.join(this.#folder, name)
  }
}

function must(file: string, ...args: string[]): void {
  const result = spawnSync(file, args, { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`${file} ${args.join(' ')}: ${result.stderr}`)
}

function printed(child: ChildProcess, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (text.test(output)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}\n${output}`)))
  })
}
