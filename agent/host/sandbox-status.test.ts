import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sandboxInit } from './sandbox-status'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-sandbox-status-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A first process that writes its line as bubblewrap does, and then runs `script` in the shell. */
function firstProcess(script: string) {
  const statusFile = join(folder, 'status')
  const child = spawn('/bin/sh', ['-c', `printf '{"child-pid": %s}\\n' $$ >"$0"; ${script}`, statusFile], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const copied = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  return { child, ended, copied, statusFile }
}

it('has no program while its copy of itself has not executed one, and none when that fails', async () => {
  const { child, ended, copied, statusFile } = firstProcess('(echo copied; read -r _); exit 1')
  await copied
  const init = sandboxInit(statusFile, ended) // It looks for the first time before it returns.
  child.stdin.end('go\n')
  expect(await init).toBeNull()
})

it('is the first process as soon as a program of it runs', async () => {
  const { child, ended, statusFile } = firstProcess('cat; exit 0')
  expect((await sandboxInit(statusFile, ended))?.pid).toBe(child.pid)
  child.stdin.end()
  await ended
})
