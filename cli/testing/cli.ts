import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { addresses } from '@/domain/settings'
import { answerApi } from '@/server/api/answer'
import type { Runtime } from '@/server/auth/runtime'
import type { TestGateway } from '@/testing/gateway'

type Ran = { code: number | null; out: string; err: string }
export type TestCli = {
  /** Where its processes keep their files. */
  home: string
  /** The bundle, and the environment that `npm run berth` gives it. */
  command: string[]
  environment: Record<string, string>
  run(args: readonly string[], input?: string, environment?: Record<string, string>): Promise<Ran>
  remove(): void
}

/** The command line as `npm run berth` starts it, bundled once, with a configuration directory of its own. */
export async function buildCli(port: number): Promise<TestCli> {
  const home = mkdtempSync(path.join(tmpdir(), 'berth-cli-'))
  await build({
    entryPoints: { berth: 'cli/main.ts' },
    ...{ outdir: home, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, platform: 'node', format: 'esm' },
    external: ['better-sqlite3', 'pg-native', 'argon2', '@lydell/node-pty'],
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    logLevel: 'warning',
  })
  const command = [process.execPath, path.join(home, 'berth.mjs')]
  const environment = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: path.join(home, 'config'), TERM: 'xterm-256color' },
    ...{ BERTH_HOME: path.join(home, 'data'), BERTH_ROOT: process.cwd(), BERTH_RUNTIME_DIR: '/tmp/b', BERTH_PORT: String(port) },
  }
  return {
    home,
    command,
    environment,
    run: (args, input = '', more = {}) =>
      run([...command, ...args], { input, environment: { ...environment, ...more }, cwd: home }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

function run(
  [program = '', ...args]: string[],
  given: { input: string; environment: Record<string, string>; cwd: string },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { NODE_ENV: 'production', ...given.environment },
      cwd: given.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const said: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] }
    child.stdout.on('data', (piece: Buffer) => said.out.push(piece))
    child.stderr.on('data', (piece: Buffer) => said.err.push(piece))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, out: Buffer.concat(said.out).toString('utf8'), err: Buffer.concat(said.err).toString('utf8') })
    })
    child.stdin.end(given.input)
  })
}

/** The API of a web process beside a gateway, on the port that belongs to it. Any other Host is refused, as the dashboard does. */
export async function serveApi(test: TestGateway, runtime: Runtime): Promise<Server> {
  const { dashboardHost, dashboardOrigin } = addresses(test.dashboardPort)
  const server = createServer((request, response) => {
    if (request.headers.host !== dashboardHost) return void response.writeHead(421).end()
    void read(request).then(async (body) => {
      const { method = 'GET', url = '' } = request
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
      const asked = new Request(dashboardOrigin + url, { method, headers, ...(method === 'POST' ? { body } : {}) })
      const answer = await answerApi(runtime, asked)
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(test.dashboardPort, '127.0.0.1', resolve)
  })
  return server
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}
