import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIRST_UID } from '../uids'
import { existingPython } from './existing-python'
import { findInterpreter } from './interpreter'
import { kernelSpec } from './kernel-spec'
import { pythonPrefixes } from './python-prefixes'

const isRoot = process.getuid?.() === 0
let home = ''
let venv = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'py-'))
  chmodSync(home, 0o755)
  venv = join(home, 'venv')
  const python = (await findInterpreter())?.path ?? ''
  execFileSync(python, ['-I', '-m', 'venv', '--without-pip', venv])
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const ask = (path: string, over: { roots?: string[]; isSandboxed?: boolean } = {}) =>
  existingPython({
    path,
    rules: { roots: over.roots ?? [home], own: [join(home, 'berth')] },
    isRoot,
    uid: isRoot ? FIRST_UID : null,
    isSandboxed: over.isSandboxed ?? true,
  })

/** A package that only has the name. */
function pretend(name: string): void {
  const site = execFileSync(join(venv, 'bin/python'), ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
    encoding: 'utf8',
  }).trim()
  mkdirSync(join(site, name), { recursive: true })
  writeFileSync(join(site, name, '__init__.py'), '')
}

describe('a Python of the owner as the kernel', () => {
  it('is refused in a sentence: missing, no program of an environment, outside, without ipykernel, no Python', async () => {
    mkdirSync(join(home, 'fake/bin'), { recursive: true })
    for (const [name, text] of [
      ['no-python', '#!/bin/sh\necho hello\n'],
      ['old-python', '#!/bin/sh\necho \'{"version": "3.9.2", "ipykernel": true}\'\n'],
    ] as const)
      writeFileSync(join(home, 'fake/bin', name), text, { mode: 0o755 })
    writeFileSync(join(home, 'loose'), '#!/bin/sh\n', { mode: 0o755 })
    const cases: [string, RegExp, string[]?][] = [
      [join(home, 'none/bin/python'), /not there/],
      [join(home, 'loose'), /folder bin/],
      [join(venv, 'bin/python'), /outside the allowed folders/, ['/opt']],
      [join(venv, 'bin/python'), /ipykernel is not installed/],
      [join(home, 'fake/bin/no-python'), /does not run here/],
      [join(home, 'fake/bin/old-python'), /Python 3\.9\.2; 3\.11 or newer/],
    ]
    for (const [path, message, roots] of cases)
      await expect(ask(path, roots ? { roots } : {}), path).rejects.toMatchObject({
        code: 'python_unusable',
        message: expect.stringMatching(message),
        subject: path,
      })
  })

  it('runs in the sandbox from where it lies, with what it is linked to', async () => {
    pretend('ipykernel')
    const found = await ask(join(venv, 'bin/python'))
    expect(found).toMatchObject({ path: join(venv, 'bin/python'), binds: [{ source: venv, target: venv, mode: 'read' }] })
    expect(found.version).toMatch(/^3\.\d+\.\d+$/)
    symlinkSync(venv, join(home, 'alias'))
    expect((await ask(join(home, 'alias/bin/python'))).binds).toEqual([
      { source: venv, target: join(home, 'alias'), mode: 'read' },
    ])
    expect((await ask(join(venv, 'bin/python'), { isSandboxed: false })).version).toBe(found.version)
  })

  it.runIf(isRoot)('says which command gives the sandbox what it may not read', async () => {
    chmodSync(venv, 0o700)
    await expect(ask(join(venv, 'bin/python'))).rejects.toMatchObject({
      code: 'python_unusable',
      help: expect.stringContaining(`setfacl -R -m u:${FIRST_UID}:rX`),
    })
    chmodSync(venv, 0o755)
  })

  it('needs the prefix of every link on its way, and of the Python that it was made from', async () => {
    const chain = join(home, 'chain')
    for (const prefix of ['managed/bin', 'made/bin']) mkdirSync(join(chain, prefix), { recursive: true })
    writeFileSync(join(chain, 'managed/bin/python3'), '')
    symlinkSync('../../managed/bin/python3', join(chain, 'made/bin/python'))
    writeFileSync(join(chain, 'made/pyvenv.cfg'), `home = ${chain}/managed/bin\n`)
    expect(await pythonPrefixes(join(chain, 'made/bin/python'))).toEqual([join(chain, 'made'), join(chain, 'managed')])
    expect(await pythonPrefixes('/usr/bin/python3')).toEqual([])
  })

  it('gets what a notebook installs in front of it, and nothing is installed into it', () => {
    const spec = kernelSpec({ python: '/v/bin/python', version: '3.12.1', userPrefix: '/workspace/.home/.local' })
    expect(spec).toMatchObject({
      argv: ['/v/bin/python', '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      env: { PIP_PREFIX: '/workspace/.home/.local', PYTHONPATH: '/workspace/.home/.local/lib/python3.12/site-packages' },
    })
  })
})
