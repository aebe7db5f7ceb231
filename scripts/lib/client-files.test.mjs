import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkClientFiles, leaksInClientFiles } from './client-files.mjs'

let root = ''
function write(file, content) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), content)
}
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'berth-client-'))
  write(
    'prisma/schema.prisma',
    'model User {\n  id String\n  at DateTime @map("created_at")\n  @@map("user")\n}\nmodel A {\n  @@map("api_token")\n}',
  )
  write('.next/static/chunks/a.js', 'const user = { id: 1, createdAt: 2 }')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('C9: files for browsers may have what browsers need', () => {
  expect(leaksInClientFiles(root)).toEqual([])
  expect(checkClientFiles(root)).toEqual({ passed: 1, failed: 0 })
})

it.each([
  ['a table', 'chunks/b.js', 'select("api_token")', 'api_token in chunks/b.js'],
  ['a column', 'chunks/b.js', 'x.created_at', 'created_at in chunks/b.js'],
  ['a setting', 'chunks/b.js', 'env.BERTH_DATABASE_URL', 'BERTH_ in chunks/b.js'],
  ['a package of the server', 'css/c.css', '/* argon2 */', 'argon2 in css/c.css'],
  ['sources', 'chunks/a.js.map', '{}', 'the source in chunks/a.js.map'],
])('C4, C9: %s in a file for browsers fails', (...[, file, text, leak]) => {
  write(`.next/static/${file}`, text)
  expect(leaksInClientFiles(root)).toEqual([leak])
  expect(checkClientFiles(root)).toEqual({ passed: 0, failed: 1 })
})

it('C9: the path of the checkout in a file for browsers fails, and so does a build without files', () => {
  write('.next/static/chunks/b.js', `from ${root}/server/x.ts`)
  expect(leaksInClientFiles(root)).toEqual([`${root} in chunks/b.js`])
  rmSync(path.join(root, '.next/static/chunks'), { recursive: true })
  expect(leaksInClientFiles(root)).toEqual(['nothing was built'])
})
