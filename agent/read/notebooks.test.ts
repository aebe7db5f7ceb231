import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { keptMachine } from './testing/kept-machine'

let machine: Awaited<ReturnType<typeof keptMachine>>
beforeAll(async () => {
  machine = await keptMachine()
})
afterAll(() => machine.close())

const DAY = new Date('2026-01-02T03:04:05.000Z')

/** A workspace with these files in it. */
function workspace(files: Record<string, string> = {}) {
  const workloadId = uuidv7()
  const dir = join(machine.dataDir, 'workspaces', workloadId)
  mkdirSync(dir, { recursive: true })
  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
    utimesSync(join(dir, path), DAY, DAY)
  }
  for (const [path, text] of Object.entries(files)) save(path, text)
  const ask = (path: string | null) => machine.ask('/v1/notebooks', { workloadId, path })
  const list = async () => JSON.parse(await (await ask(null)).text())
  const paths = async () => (await list()).notebooks.map((found: { path: string }) => found.path)
  return { workloadId, dir, save, ask, list, paths }
}

describe('the notebooks of a workspace', () => {
  it.each(['running', 'stopped', 'failed'])('are listed, newest first, and read byte for byte while it is %s', async (phase) => {
    const space = workspace({ 'a.ipynb': '{"old":1}', 'deep/er/b é.ipynb': '', 'data.csv': '1', 'notes.ipynb.txt': 'x' })
    machine.add({ workloadId: space.workloadId, phase })
    utimesSync(join(space.dir, 'a.ipynb'), 1, 1)
    expect(await space.list()).toEqual({
      notebooks: [
        { path: 'deep/er/b é.ipynb', at: DAY.toISOString(), bytes: 0 },
        { path: 'a.ipynb', at: '1970-01-01T00:00:01.000Z', bytes: 9 },
      ],
      isComplete: true,
    })
    expect(await (await space.ask('a.ipynb')).text()).toBe('{"old":1}')
    const empty = await space.ask('deep/er/b é.ipynb')
    expect([empty.status, await empty.text()]).toEqual([200, ''])
  })

  it('are none in an empty workspace, and not_found where there is no workspace', async () => {
    expect(await workspace().list()).toEqual({ notebooks: [], isComplete: true })
    for (const path of [null, 'a.ipynb'])
      expect((await machine.ask('/v1/notebooks', { workloadId: uuidv7(), path })).status).toBe(404)
  })

  it('leave out what is hidden, what is a checkpoint and what lies too deep, and none of it is read by its name', async () => {
    const deep = 'a/b/c/d/e/f'
    const space = workspace({
      [`${deep}/in.ipynb`]: 'in',
      [`${deep}/g/out.ipynb`]: 'out',
      '.home/secret.ipynb': 'no',
      '.secret.ipynb': 'no',
      'x/.ipynb_checkpoints/x-checkpoint.ipynb': 'no',
      'key.pem': 'no',
    })
    expect(await space.paths()).toEqual([`${deep}/in.ipynb`])
    const others = [`${deep}/g/out.ipynb`, '.home/secret.ipynb', '.secret.ipynb', 'x/.ipynb_checkpoints/x-checkpoint.ipynb']
    for (const path of [...others, 'key.pem']) expect((await space.ask(path)).status).toBe(400)
  })

  it.each(['../a.ipynb', '/a.ipynb', 'x/../../a.ipynb', './a.ipynb', 'x//a.ipynb', 'a\0.ipynb', '', 'x'.repeat(2000)])(
    'V9: the path %j is no question',
    async (path) => {
      expect((await workspace({ 'a.ipynb': '1' }).ask(path)).status).toBe(400)
    },
  )

  it('V9: are never reached through a link, to a file, to a folder on the way, or of the workspace itself', async () => {
    const outside = join(machine.dataDir, 'outside')
    mkdirSync(outside, { recursive: true })
    writeFileSync(join(outside, 'secret.ipynb'), 'secret')
    const space = workspace({ 'mine.ipynb': 'mine' })
    symlinkSync(join(outside, 'secret.ipynb'), join(space.dir, 'file.ipynb'))
    symlinkSync(outside, join(space.dir, 'folder'))
    symlinkSync('mine.ipynb', join(space.dir, 'own.ipynb'))
    mkdirSync(join(space.dir, 'folder.ipynb'))
    execFileSync('mkfifo', [join(space.dir, 'pipe.ipynb')])
    expect(await space.paths()).toEqual(['mine.ipynb'])
    for (const path of ['file.ipynb', 'folder/secret.ipynb', 'own.ipynb', 'folder.ipynb', 'pipe.ipynb'])
      expect((await space.ask(path)).status).toBe(404)
    renameSync(space.dir, `${space.dir}-moved`)
    symlinkSync(`${space.dir}-moved`, space.dir)
    for (const path of [null, 'mine.ipynb']) expect((await space.ask(path)).status).toBe(404)
    rmSync(space.dir)
  })

  it('are bounded: a large one is told by its size and not sent, and of many the newest are listed', async () => {
    const space = workspace({ 'large.ipynb': '' })
    truncateSync(join(space.dir, 'large.ipynb'), LIMITS.notebookBytesMax + 1)
    expect((await space.ask('large.ipynb')).status).toBe(413)
    truncateSync(join(space.dir, 'large.ipynb'), LIMITS.notebookBytesMax)
    expect((await (await space.ask('large.ipynb')).text()).length).toBe(LIMITS.notebookBytesMax)
    for (let i = 0; i < LIMITS.notebooksMax; i += 1) linkSync(join(space.dir, 'large.ipynb'), join(space.dir, `${i}.ipynb`))
    space.save('newest.ipynb', '')
    utimesSync(join(space.dir, 'large.ipynb'), 1, 1)
    const list = await space.list()
    expect([list.notebooks.length, list.notebooks[0].path, list.isComplete]).toEqual([LIMITS.notebooksMax, 'newest.ipynb', false])
  })

  it('are looked for in so many names and no more, those near the top first', async () => {
    const space = workspace({ 'top.ipynb': '1', 'many/below/last.ipynb': '1' })
    const many = join(space.dir, 'many')
    execFileSync('python3', ['-c', `import os\nfor i in range(10_001): open('${many}/%d' % i, 'w').close()`])
    expect(await space.list()).toMatchObject({ notebooks: [{ path: 'top.ipynb' }], isComplete: false })
  })
})
