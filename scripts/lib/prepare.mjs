// Brings a checkout up to date: packages, generated code, bundles, dashboard. Does nothing that is not stale.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from './places.mjs'
import { requireGoodSettings } from './settings.mjs'
import { buildDigest, isStale, packagesDigest, writeStamp } from './stale.mjs'
import { must } from './steps.mjs'

/** Refuses a Node that the packages do not run on. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new StartError(`Berth needs Node 20.19 or newer; this is ${version}`)
}

/** `npm ci`, when the lock file or Node changed since the last time. */
export async function installPackages(root) {
  const stamp = path.join(root, 'node_modules/.berth-lock')
  const digest = packagesDigest(root)
  if (!isStale(stamp, digest)) return
  const note = existsSync(path.join(root, 'node_modules')) ? undefined : 'two to seven minutes the first time'
  const nodedir = headersOfNode()
  const env = nodedir ? { npm_config_nodedir: nodedir } : {}
  await must('installing packages', ['npm', 'ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: root, env, note })
  writeStamp(stamp, digest)
}

/** Where this Node keeps its own headers, or null: an addon that must be compiled then needs no download of them. */
export function headersOfNode(prefix = path.resolve(process.execPath, '../..'), version = process.versions.node) {
  const file = path.join(prefix, 'include/node/node_version.h')
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1]
  return ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.') === version ? prefix : null
}

/** Generated clients, bundles and the dashboard, when one of their inputs changed. */
export async function build(root) {
  const stamp = path.join(root, 'dist/.stamp')
  const digest = buildDigest(root)
  if (!isStale(stamp, digest) && existsSync(path.join(root, '.next/BUILD_ID'))) return
  // Only a start has settings: the tests build too.
  if (process.env.BERTH_ROOT !== undefined) requireGoodSettings(root)
  await generateClients(root)
  await Promise.all([
    must('bundling controller and agent', [process.execPath, 'scripts/build.mjs'], { cwd: root }),
    must('building the dashboard', [process.execPath, 'node_modules/next/dist/bin/next', 'build'], { cwd: root }),
  ])
  writeStamp(stamp, digest)
}

/** The Prisma clients of both databases, from the one schema. */
export async function generateClients(root) {
  const prisma = [process.execPath, 'node_modules/prisma/build/index.js', 'generate']
  await must('deriving the SQLite schema', [process.execPath, 'scripts/derive-sqlite.mjs'], { cwd: root, quiet: true })
  await Promise.all([
    must('generating the SQLite client', prisma, { cwd: root, env: { BERTH_DB: 'sqlite' } }),
    must('generating the PostgreSQL client', prisma, { cwd: root, env: { BERTH_DB: 'postgresql' } }),
  ])
}
