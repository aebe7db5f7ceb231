import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fstabLine } from './namespace'

const isRoot = process.getuid?.() === 0
const folder = mkdtempSync(join(tmpdir(), 'berth ns-'))

it.runIf(isRoot)('folders with spaces, backslashes, quotes and line breaks in their names are bound as they are', () => {
  const names = ['a b', 'back\\slash', 'tab\there', 'line\nbreak', '#sharp', '"quoted"', '\\040', 'ünï']
  const mounts = names.map((name, i) => ({ source: join(folder, name), target: join(folder, String(i)) }))
  for (const { source, target } of mounts) {
    mkdirSync(source)
    writeFileSync(join(source, 'here'), source)
    mkdirSync(target)
  }
  const table = join(folder, 'table')
  writeFileSync(table, mounts.map(fstabLine).join(''))
  const show = 'mount --all --fstab "$1" || exit 9; shift; for target; do cat "$target/here"; done'
  const args = ['--mount', '--', 'sh', '-c', show, 'sh', table, ...mounts.map((m) => m.target)]
  const shown = spawnSync('unshare', args, { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  expect([shown.stderr, shown.stdout]).toEqual(['', mounts.map((m) => m.source).join('')])
})
