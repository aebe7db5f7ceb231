// What every browser may read of the build: none of it may be the server's.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { say } from './steps.mjs'

/** Packages, modules and settings that no browser has a use for. */
const OF_THE_SERVER = [
  'better-sqlite3',
  '@prisma/',
  'argon2',
  'node:fs',
  'node:child_process',
  'next-auth/providers',
  'BERTH_',
  'process.env.',
]

/** `what in which file` of everything that is in the files of the last build for browsers and does not belong there. */
export function leaksInClientFiles(root) {
  const folder = path.join(root, '.next/static')
  const files = readdirSync(folder, { recursive: true }).map(String)
  const secret = [...OF_THE_SERVER, root]
  const names = new RegExp(`(?<!\\w)(${namesOfTheDatabase(root).join('|')})(?!\\w)`, 'g')
  const texts = files.filter((name) => /\.(js|css|html|json)$/.test(name))
  if (texts.length === 0) return ['nothing was built']
  return [
    ...files.filter((name) => name.endsWith('.map')).map((name) => `the source in ${name}`),
    ...texts.flatMap((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8')
      const found = [...secret.filter((word) => text.includes(word)), ...new Set(text.match(names))]
      return found.map((word) => `${word} in ${name}`)
    }),
  ]
}

/** Tables and columns, where their names are no ordinary words. */
function namesOfTheDatabase(root) {
  const schema = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8')
  return [...new Set([...schema.matchAll(/@map\("(\w+)"\)/g)].map(([, name]) => name))].filter((name) => name.includes('_'))
}

/** Counts as one test. */
export function checkClientFiles(root) {
  const leaks = leaksInClientFiles(root)
  for (const leak of leaks) console.log(`browsers are sent ${leak}`)
  say(`files for browsers: ${leaks.length} things of the server`)
  return leaks.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}
