// How much script a browser loads before a page works, from what the build wrote of each page.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { say } from './steps.mjs'

/** Kilobytes (1,000 bytes), compressed as the web server does it. */
const LIMIT_KB = 220

/** `{ route, kb }` of every page of the last build, largest first. */
export function firstLoads(root) {
  const stats = JSON.parse(readFileSync(path.join(root, '.next/diagnostics/route-bundle-stats.json'), 'utf8'))
  const sizes = new Map()
  const size = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(root, file))).byteLength)
    return sizes.get(file)
  }
  return stats
    .map(({ route, firstLoadChunkPaths }) => ({
      route,
      kb: firstLoadChunkPaths.reduce((sum, file) => sum + size(file), 0) / 1000,
    }))
    .sort((a, b) => b.kb - a.kb)
}

/** Counts each page as one test; a page that the build does not list counts as a failure. */
export function checkFirstLoads(root) {
  const loads = firstLoads(root)
  const pages = readdirSync(path.join(root, 'app'), { recursive: true }).filter((name) =>
    /(^|\/)page\.tsx$/.test(String(name)),
  ).length
  const heavy = loads.filter(({ kb }) => kb > LIMIT_KB)
  for (const { route, kb } of heavy) console.log(`${route} loads ${kb.toFixed(1)} kB of script, at most ${LIMIT_KB} are allowed`)
  if (loads.length < pages) console.log(`the build lists ${loads.length} pages, the folder has ${pages}`)
  const [first] = loads
  say(`first load: ${loads.length} pages, at most ${first?.kb.toFixed(1)} kB (${first?.route})`)
  return { passed: loads.length - heavy.length, failed: heavy.length + Math.max(0, pages - loads.length) }
}
