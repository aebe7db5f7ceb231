import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The code that detached processes run: a copy of its own, so that an upgrade cannot pull it from under them. */
export type HostCopy = { hash: string; sessionHost: string; egress: string }

const PROGRAMS = ['session-host.mjs', 'egress.mjs']
const PTY = '@lydell/node-pty'

/** Makes the copy of the code as it is now, unless it is there already. Whole or not at all. */
export async function makeHostCopy(options: { dataDir: string; codeDir: string }): Promise<HostCopy> {
  const sources = await sourcesOf(options.codeDir)
  const hash = await hashOf(sources)
  const folder = join(options.dataDir, 'host')
  const target = join(folder, hash)
  if (!existsSync(target)) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = await mkdtemp(join(folder, '.copy-'))
    await fill(temporary, sources)
    await rename(temporary, target).catch(async (error: unknown) => {
      await rm(temporary, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    })
    await dropUnused(folder, hash)
  }
  return { hash, sessionHost: join(target, 'session-host.mjs'), egress: join(target, 'egress.mjs') }
}

/** Copies that no process runs from any more. */
async function dropUnused(folder: string, current: string): Promise<void> {
  const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(running.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
  const copies = (await readdir(folder)).filter((name) => /^[0-9a-f]{32}$/.test(name) && name !== current)
  for (const name of copies) {
    const path = join(folder, name)
    if (!lines.some((line) => line.includes(`${path}/`))) await rm(path, { recursive: true, force: true })
  }
}

type Source = { from: string; to: string }

/** Files by where they come from and where they go; packages whole. */
async function sourcesOf(codeDir: string): Promise<Source[]> {
  const packages = [PTY, `${PTY}-${process.platform}-${process.arch}`]
  const folders = packages.map((name) => ({ from: dirname(resolvePackage(name, codeDir)), to: join('node_modules', name) }))
  const files = await Promise.all(folders.map(filesIn))
  return [...PROGRAMS.map((name) => ({ from: join(codeDir, name), to: name })), ...files.flat()]
}

function resolvePackage(name: string, codeDir: string): string {
  const from = [join(codeDir, 'session-host.mjs'), import.meta.url]
  for (const base of from) {
    try {
      return createRequire(base).resolve(`${name}/package.json`)
    } catch {
      // Not beside the built files: the agent's own packages are tried next.
    }
  }
  throw new Error(`${name} is not installed`)
}

async function filesIn({ from, to }: Source): Promise<Source[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ from: path, to: join(to, path.slice(from.length + 1)) }))
}

async function hashOf(sources: readonly Source[]): Promise<string> {
  const hash = createHash('sha256')
  for (const { from, to } of [...sources].sort((a, b) => a.to.localeCompare(b.to))) {
    hash.update(`${to}\0`)
    hash.update(
      createHash('sha256')
        .update(await readFile(from))
        .digest(),
    )
  }
  return hash.digest('hex').slice(0, 32)
}

async function fill(folder: string, sources: readonly Source[]): Promise<void> {
  for (const { from, to } of sources) {
    await mkdir(dirname(join(folder, to)), { recursive: true, mode: 0o700 })
    await cp(from, join(folder, to))
    await chmod(join(folder, to), 0o400)
  }
}
