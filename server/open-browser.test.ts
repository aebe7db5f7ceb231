import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Desk, isInteractiveDesktop, openInBrowser } from './open-browser'

const desk = (environment: Desk['environment'], change: Partial<Desk> = {}): Desk => ({
  isTerminal: true,
  platform: 'linux',
  environment,
  ...change,
})
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-open-'))
})
const searchPath = process.env.PATH
afterEach(() => {
  process.env.PATH = searchPath
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['a desktop of Linux', desk({ DISPLAY: ':0' }), true],
  ['Wayland', desk({ WAYLAND_DISPLAY: 'wayland-0' }), true],
  ['macOS', desk({}, { platform: 'darwin' }), true],
  ['a console without a desktop', desk({}), false],
  ['over SSH, with a forwarded display', desk({ DISPLAY: 'localhost:10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }), false],
  ['a service', desk({ DISPLAY: ':0' }, { isTerminal: false }), false],
  ['a robot', desk({ DISPLAY: ':0', CI: 'true' }), false],
])('%s: %s', (_name, given, expected) => {
  expect(isInteractiveDesktop(given)).toBe(expected)
})

it('gives the browser a private page, never the secret on a command line', async () => {
  const opener = path.join(folder, 'xdg-open')
  const seen = path.join(folder, 'seen')
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`)
  chmodSync(opener, 0o755)
  process.env.PATH = `${folder}:${searchPath}`
  openInBrowser('http://localhost:7480/setup#berth_setup_x', { home: folder, platform: 'linux' })
  await expect.poll(() => existsSync(seen), { timeout: 10_000 }).toBe(true)
  const address = readFileSync(seen, 'utf8')
  expect(address).not.toContain('berth_setup_x')
  const page = fileURLToPath(address)
  expect(readFileSync(page, 'utf8')).toContain('url=http://localhost:7480/setup#berth_setup_x')
  expect(statSync(page).mode & 0o777).toBe(0o600)
})
