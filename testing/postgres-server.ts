import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const DEBIAN = '/usr/lib/postgresql'
const FAST = '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200'

/** Starts a throw-away PostgreSQL on loopback, as user postgres when the tests run as root. Nothing of it survives `stop`. */
export async function startPostgres(): Promise<{ url: string; stop: () => void }> {
  const bin = postgresFolder()
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-pg-'))
  const data = path.join(folder, 'data')
  const port = await freePort()
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  run(path.join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'])
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 ${FAST}`
  run(path.join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options, 'start'])
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      run(path.join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isRoot = process.getuid?.() === 0

function run(command: string, args: string[]): void {
  const [program, all] = isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]
  execFileSync(program, all, { stdio: 'ignore', cwd: '/' })
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

function postgresFolder(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(a) - Number(b)) : []
  const newest = versions.at(-1)
  if (newest === undefined)
    throw new Error('no PostgreSQL for the database tests: apt-get install postgresql, or set BERTH_TEST_PG')
  return path.join(DEBIAN, newest, 'bin')
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
