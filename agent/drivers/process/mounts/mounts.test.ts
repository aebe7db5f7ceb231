import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mount } from '@/domain/mounts'
import type { DesiredInstance } from '@/protocol/sync'
import { ProcessMachine } from '../../../testing/process-machine'
import type { Driver } from '../../driver'
import { createProcessDriver } from '../process-driver'
import { openWorkspaces } from '../workspaces'
import { whyForbidden } from './allowed-folder'
import { checkMounts } from './check-mounts'
import { permissionHelp } from './may-use'
import { mountedBelow, mountPoints } from './mounted-below'
import { verifyShown } from './verify-shown'

const never = new AbortController().signal
const isRoot = process.getuid?.() === 0
/** Tools that only root may use. */
const asRoot = (tool: string, args: string[]) => execFileSync(tool, args)
let machine: ProcessMachine
let driver: Driver
/** The owner's home: everything that may be shown lies below it. */
let home = ''
beforeAll(async () => {
  machine = await ProcessMachine.make()
  driver = createProcessDriver(machine.deps)
  home = mkdtempSync(join(tmpdir(), 'home-'))
})
afterAll(async () => {
  await machine.clean(driver)
  rmSync(home, { recursive: true, force: true })
})

/** A folder of the owner that every user may read and write, unless it is narrowed afterwards. */
function folder(name: string, files: Record<string, string> = {}): string {
  const path = join(home, name)
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o777)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}
const workspace = (spec: DesiredInstance) => join(machine.deps.dataDir, 'workspaces', spec.workloadId)
const listed = (path: string) =>
  execFileSync('sh', ['-c', 'find . -printf "%p %m %s %U %l\\n" | sort; find . -type f | sort | xargs sha256sum'], {
    cwd: path,
    encoding: 'utf8',
  })
const buildLog = (spec: DesiredInstance) =>
  readFileSync(join(machine.deps.dataDir, 'instances', spec.placementId, 'log/build.log'), 'utf8')

describe('folders of the machine', () => {
  it('are shown at their last name, for reading or for writing, and outlive the workload byte for byte', async () => {
    const [data, results] = [folder('data', { 'in.csv': 'a,b\n' }), folder('results', { old: 'kept' })]
    symlinkSync('in.csv', join(data, 'link'))
    const before = listed(data)
    const mounts: Mount[] = [
      { path: data, mode: 'ro' },
      { path: results, mode: 'rw' },
    ]
    const { spec, client } = await machine.terminal(driver, { mounts, mountRoots: [home] })
    expect(await machine.sh(client, 'cat data/in.csv; echo new > results/new; cat results/old results/new')).toBe('a,b\nkeptnew')
    expect(
      await machine.sh(client, 'touch data/x 2>&1 | tail -1; rmdir data 2>&1 | tail -1; mv results r 2>&1 | tail -1'),
    ).toMatch(/Read-only[\s\S]*busy[\s\S]*busy/)
    expect(await machine.sh(client, 'cat /proc/mounts | grep -c " /workspace/"')).toBe('2')
    client.close()
    const after = listed(results)
    await driver.stop(spec, 'park', never)
    expect(readdirSync(workspace(spec)).sort()).toEqual(
      ['.bash_history', '.home'].filter((name) => existsSync(join(workspace(spec), name))),
    )
    await machine.remove(driver, spec)
    expect(existsSync(workspace(spec))).toBe(false)
    expect([listed(data), listed(results)]).toEqual([before, after])
    expect(readFileSync(join(results, 'new'), 'utf8')).toBe('new\n')
  })

  it.each([
    ['with a sandbox', 'process-sandboxed'],
    ['without one', 'process-plain'],
  ] as const)('D1: in a name or an argument, what a shell would run stays text, %s', async (_what, row) => {
    const names = [
      '$(touch canary)',
      '`touch canary`',
      '; touch canary;',
      "'; touch canary; '",
      '"|touch canary|"',
      '&touch canary&',
    ]
    const mounts: Mount[] = names.map((name) => ({ path: folder(row + name), mode: 'ro' }))
    const texts = [...names, '\n touch canary', '--end', '-c']
    const spec = machine.spec({ driver: row, command: ['/usr/bin/printf', '<%s>', ...texts], mounts, mountRoots: [home] })
    await driver.start(spec, never)
    await machine.until(driver, spec, (o) => o.status === 'running')
    const client = machine.attach(spec)
    await client.attach(0).until({ text: '<-c>' })
    expect(client.output.toString().replaceAll('\r', '')).toContain(texts.map((text) => `<${text}>`).join(''))
    expect(readdirSync(workspace(spec))).toEqual(expect.arrayContaining(names.map((name) => row + name)))
    client.close()
    await machine.remove(driver, spec)
    const places = [process.cwd(), '/', machine.root, machine.deps.dataDir, home]
    expect(places.filter((place) => existsSync(join(place, 'canary')))).toEqual([])
  })

  it('come back at the next start, and a park keeps nothing of them', async () => {
    const path = folder('again', { one: '1' })
    const { spec, client } = await machine.terminal(driver, { mounts: [{ path, mode: 'rw' }], mountRoots: [home] })
    await machine.sh(client, 'echo mine > own; cat again/one')
    client.close()
    await driver.stop(spec, 'park', never)
    const kept = listed(workspace(spec))
    expect(kept).not.toContain('./again')
    const next = { ...spec, placementId: machine.spec().placementId, workloadGen: 2, needsWorkspace: true }
    await driver.start(next, never)
    await machine.until(driver, next, (o) => o.status === 'running')
    await driver.stop(next, 'park', never)
    await driver.forget(next)
    expect(listed(workspace(spec))).toBe(kept)
    await machine.remove(driver, next)
  })

  it('are refused with the folder as subject, and the log says which command helps', async () => {
    const path = folder('closed')
    if (isRoot) chownSync(path, 0, 0)
    chmodSync(path, isRoot ? 0o700 : 0o000)
    const spec = machine.spec({ mounts: [{ path, mode: 'rw' }], mountRoots: [home] })
    await driver.start(spec, never)
    const seen = await machine.until(driver, spec, (o) => o.status === 'failed')
    expect([seen.code, seen.subject]).toEqual(['mount_refused', path])
    const uid = isRoot ? expect.any(Number) : null
    expect(seen.folderRefused).toEqual({ cause: 'not_writable', uid })
    expect(buildLog(spec)).toMatch(isRoot ? new RegExp(`setfacl -R -m u:\\d+:rwX,d:u:\\d+:rwX '${path}'`) : /chmod/)
    await machine.remove(driver, spec)
  })

  it('never hide what a workspace has, and follow no link in it', async () => {
    const path = folder('taken')
    const { spec, client } = await machine.terminal(driver)
    await machine.sh(client, 'ln -s /etc taken')
    client.close()
    await driver.stop(spec, 'park', never)
    const next = {
      ...spec,
      placementId: machine.spec().placementId,
      workloadGen: 2,
      mounts: [{ path, mode: 'rw' as const }],
      mountRoots: [home],
    }
    await driver.start(next, never)
    const seen = await machine.until(driver, next, (o) => o.status === 'failed')
    expect([seen.code, seen.subject, seen.folderRefused?.cause]).toEqual(['mount_refused', path, 'name_taken'])
    await driver.stop(next, 'park', never)
    expect(listed(workspace(spec))).toContain('./taken 777')
    await machine.remove(driver, next)
  })

  it('appear as links where there is no sandbox, and deleting the workload leaves them alone', async () => {
    const path = folder('plain', { file: 'kept' })
    const mounts: Mount[] = [{ path, mode: 'rw' }]
    const command = ['/bin/bash', '--norc', '--noprofile']
    const over = { driver: 'process-plain' as const, command, mounts, mountRoots: [home] }
    const { spec, client } = await machine.terminal(driver, over)
    expect(await machine.sh(client, 'cat plain/file; echo more > plain/more')).toBe('kept')
    client.close()
    const before = listed(path)
    await driver.stop(spec, 'park', never)
    expect(existsSync(join(workspace(spec), 'plain'))).toBe(false)
    await machine.remove(driver, spec)
    expect(listed(path)).toBe(before)
  })
})

describe('the check of a folder', () => {
  it('M9: resolves links before it judges, and refuses all that is not plainly allowed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    mkdirSync(machine.deps.dataDir, { recursive: true })
    symlinkSync(outside, join(home, 'escape'))
    symlinkSync(machine.deps.dataDir, join(home, 'berth'))
    symlinkSync('/proc/self', join(home, 'self'))
    writeFileSync(join(home, 'file'), '')
    const own = [machine.deps.dataDir, machine.deps.runtimeDir]
    const check = (path: string, roots: string[]) =>
      checkMounts({ mounts: [{ path, mode: 'ro' }], rules: { roots, own }, uid: null })
    const refused: [string, string[], string][] = [
      [join(home, 'missing'), [home], 'missing'],
      [join(home, 'file'), [home], 'not_a_folder'],
      [join(home, 'escape'), [home], 'not_allowed'],
      [join(home, 'berth'), [home, machine.root], 'of_berth'],
      [machine.root, [machine.root], 'of_berth'],
      [join(machine.deps.dataDir, 'workspaces'), [machine.root], 'of_berth'],
      [join(home, 'self'), [home, '/'], 'of_the_system'],
      ['/', ['/'], 'of_berth'],
      ['/dev/shm', ['/'], 'of_the_system'],
      [outside, [], 'not_allowed'],
      [outside, [join(outside, 'below')], 'not_allowed'],
    ]
    mkdirSync(join(machine.deps.dataDir, 'workspaces'), { recursive: true })
    for (const [path, roots, cause] of refused)
      await expect(check(path, roots), path).rejects.toMatchObject({
        code: 'mount_refused',
        subject: path,
        folderRefused: { cause, uid: null },
      })
    await expect(check(outside, [outside])).resolves.toMatchObject([{ source: outside, mode: 'read' }])
    rmSync(outside, { recursive: true })
  })

  it('D1: tells a command that does nothing else, whatever the name of the folder', () => {
    const name = "/home/me/it's; echo gone"
    const help = permissionHelp(name, { uid: null, isWriting: false }).replace('chmod -R u+rX', 'printf %s')
    expect(execFileSync('/bin/sh', ['-c', help], { encoding: 'utf8' })).toBe(name)
  })

  it('does not take a name that begins alike for a folder inside', () => {
    expect(whyForbidden('/home/me2/x', { roots: ['/home/me'], own: [] })?.cause).toBe('not_allowed')
    expect(whyForbidden('/home/me/data', { roots: ['/home/me'], own: ['/home/me/data-of-berth'] })).toBeNull()
    expect(whyForbidden('/running', { roots: ['/'], own: [] })).toBeNull()
  })
})

describe('what a sandbox shows', () => {
  it('F4: must be the folder that was judged: one that was exchanged in between ends the start', async () => {
    const [judged, other] = [folder('judged'), folder('other')]
    const [mount] = await checkMounts({ mounts: [{ path: judged, mode: 'ro' }], rules: { roots: [home], own: [] }, uid: null })
    const at = (target: string) => (mount ? [{ ...mount, target }] : [])
    await expect(verifyShown(process.pid, at(judged))).resolves.toBeUndefined()
    await expect(verifyShown(process.pid, at(other))).rejects.toMatchObject({ code: 'mount_refused', subject: judged })
    await expect(verifyShown(999_999_999, at(other))).resolves.toBeUndefined()
  })
})

describe('deleting a workspace', () => {
  it.runIf(isRoot)('stops before anything that is mounted in it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ws-'))
    const workspaces = openWorkspaces(dataDir)
    const place = join(await workspaces.prepare('w', null), 'some place')
    mkdirSync(place)
    const precious = folder('precious', { file: 'mine' })
    asRoot('mount', ['--bind', precious, place])
    try {
      expect(mountedBelow(workspaces.dir('w'))).toEqual([place])
      await expect(workspaces.remove('w')).rejects.toThrow('is mounted inside')
      expect(readFileSync(join(place, 'file'), 'utf8')).toBe('mine')
    } finally {
      asRoot('umount', [place])
    }
    await workspaces.remove('w')
    expect(readdirSync(join(dataDir, 'workspaces'))).toEqual([])
    expect(readFileSync(join(precious, 'file'), 'utf8')).toBe('mine')
    rmSync(dataDir, { recursive: true })
  })

  it.runIf(isRoot)('X14: is given to its user also when the agent was killed just after it was made', async () => {
    const workspaces = openWorkspaces(mkdtempSync(join(tmpdir(), 'ws-')))
    const path = await workspaces.prepare('w', null) // made, and given to nobody yet
    await workspaces.prepare('w', 12_345)
    expect([path, join(path, '.home')].map((folder) => statSync(folder).uid)).toEqual([12_345, 12_345])
    rmSync(join(path, '..', '..'), { recursive: true })
  })

  it('reads names with blanks in the table of mounts', () => {
    expect(mountPoints('36 35 98:0 / /a\\040b rw - ext4 x rw\n\n')).toEqual(['/a b'])
  })
})
