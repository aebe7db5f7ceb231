import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkFirstLoads, firstLoads } from './first-load.mjs'

it('a page that loads more than 220 kB of script fails, and so does one that the build does not list', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'berth-load-'))
  const write = (file, content) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), content)
  }
  write('.next/a.js', randomBytes(150_000))
  write('.next/b.js', randomBytes(100_000))
  for (const page of ['light', 'heavy', 'forgotten']) write(`app/${page}/page.tsx`, '')
  const stats = [
    { route: '/light', firstLoadChunkPaths: ['.next/a.js'] },
    { route: '/heavy', firstLoadChunkPaths: ['.next/a.js', '.next/b.js'] },
  ]
  write('.next/diagnostics/route-bundle-stats.json', JSON.stringify(stats))
  expect(firstLoads(root).map(({ route, kb }) => [route, Math.round(kb)])).toEqual([
    ['/heavy', 250],
    ['/light', 150],
  ])
  expect(checkFirstLoads(root)).toEqual({ passed: 1, failed: 2 })
  rmSync(root, { recursive: true, force: true })
})
