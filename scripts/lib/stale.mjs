// Tells whether the packages or the build are older than what they are made of. Plain Node.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a build is made of. Nothing else makes it stale. */
const INPUTS = [
  'agent',
  'app',
  'backends',
  'cli',
  'components',
  'controller',
  'domain',
  'kit',
  'prisma',
  'protocol',
  'public',
  'server',
  'scripts/build.mjs',
  'scripts/derive-sqlite.mjs',
  'instrumentation.ts',
  'proxy.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'prisma.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const SKIP = new Set(['generated', 'node_modules', 'testing'])
const SKIP_FILE = /\.test\.tsx?$|^schema\.prisma$/

/** SHA-256 over the inputs of the build, by path and content. */
export function buildDigest(root) {
  const hash = createHash('sha256').update(process.version)
  const visit = (relative) => {
    const full = path.join(root, relative)
    if (!existsSync(full)) return
    for (const entry of readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = path.join(relative, entry.name)
      if (SKIP.has(entry.name)) continue
      if (entry.isDirectory()) visit(name)
      else if (!SKIP_FILE.test(entry.name)) hash.update(name).update(readFileSync(path.join(root, name)))
    }
  }
  for (const input of INPUTS) {
    const full = path.join(root, input)
    if (!existsSync(full)) continue
    if (path.extname(input)) hash.update(input).update(readFileSync(full))
    else visit(input)
  }
  hash.update(readFileSync(path.join(root, 'prisma/schema.prisma')))
  return hash.digest('hex')
}

/** Changes with the lock file and with Node, whose addons are compiled for it. */
export function packagesDigest(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(process.version)
    .digest('hex')
}

export function isStale(stamp, digest) {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest
}

export function writeStamp(stamp, digest) {
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
}
