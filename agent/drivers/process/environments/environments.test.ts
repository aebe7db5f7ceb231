import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ProcessMachine } from '../../../testing/process-machine'
import { openProcessParts } from '../process-parts'

let machine: ProcessMachine
let folder = ''
beforeEach(async () => {
  machine = await ProcessMachine.make()
  folder = mkdtempSync(join(tmpdir(), 'env-'))
})
afterEach(() => {
  for (const path of [machine.root, folder]) rmSync(path, { recursive: true, force: true })
})

/** A Python that makes an environment of nothing, once a line came through a pipe. */
function heldPython(): { path: string; letGo(): Promise<void> } {
  const [path, pipe] = [join(folder, 'python'), join(folder, 'pipe')]
  execFileSync('mkfifo', [pipe])
  writeFileSync(path, `#!/bin/sh\nread -r _ <'${pipe}'\nmkdir -p "$4/bin" && ln -s /bin/true "$4/bin/python"\n`, { mode: 0o755 })
  return { path, letGo: () => writeFile(pipe, 'go\n') }
}

it('is built anew for whoever asks while a build that nobody waits for any more is being cleared away', async () => {
  const { environments } = openProcessParts(machine.deps)
  const python = heldPython()
  const interpreter = { path: python.path, version: '3.11.2', hasVenv: true }
  const spec = { role: 'kernel' as const, tenantId: 'a', packages: ['b'], interpreter, uv: null, isPlain: true }
  const ask = { spec, policy: { open: true, allow: [], registries: [] }, memoryBytes: 0, logFile: join(folder, 'build.log') }
  /** Somebody who asks for it, and the moment at which its build begins. */
  const asked = (signal: AbortSignal) => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return { begun, built: environments.ensure(ask, { progress: begin, signal }) }
  }
  const leaving = new AbortController()
  const left = asked(leaving.signal)
  left.built.catch(() => undefined)
  await left.begun
  leaving.abort(new Error('stopped'))
  await new Promise((resolve) => setImmediate(resolve)) // the build is told to end, and has not ended
  const { begun, built } = asked(new AbortController().signal)
  await Promise.race([begun, built])
  await Promise.all([python.letGo(), built])
  expect(readdirSync(join(machine.deps.dataDir, 'environments'))).toEqual([(await built).slice(-40)])
})
