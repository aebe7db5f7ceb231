import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { placeOf } from '@/server/store/db'
import { saveMountRoots } from '@/server/store/machines'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedTenant } from '@/testing/seed'
import { listMachines, setMountRoots } from './machines'
import { createWorkload } from './workloads'

eachProvider('folders', (get, provider) => {
  async function owned() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const machine = await seedMachine(get(), seed, { region: 'local', name: 'atlas' })
    await saveMountRoots(get(), ctx.tenantId, { id: machine.id, roots: ['/home/mara', '/opt/venvs'] })
    return { seed, ctx, machine }
  }
  const asked = (spec: object, kind = 'notebook') =>
    createInput({ kind, spec: { runtime: kind === 'notebook' ? 'jupyterlab' : 'shell', ...spec } })

  it('below an allowed folder of an own machine are accepted and kept as asked', async () => {
    const { ctx, machine } = await owned()
    const mounts = [{ path: '/home/mara/data', mode: 'rw' }, { path: '/home/mara/notes' }]
    const spec = { mounts, python: '/opt/venvs/torch/bin/python', machineId: machine.id }
    const made = await createWorkload(ctx, asked(spec))
    expect(made.spec.mounts).toEqual([mounts[0], { path: '/home/mara/notes', mode: 'ro' }])
    expect(made.spec.python).toBe('/opt/venvs/torch/bin/python')
  })

  it.each([
    ['spec.mounts', { mounts: [{ path: '/home/mary' }] }, 'notebook'],
    ['spec.mounts', { mounts: [{ path: '/home/mara/a' }, { path: '/etc' }] }, 'session'],
    ['spec.python', { python: '/usr/bin/python3' }, 'notebook'],
    ['spec.python', { python: '/opt/venvs/torch/bin/python' }, 'session'],
  ])('elsewhere are refused by their field (%s) and leave no row', async (field, spec, kind) => {
    const { ctx } = await owned()
    await expect(createWorkload(ctx, asked(spec, kind))).rejects.toMatchObject({ code: 'invalid', args: { field } })
    expect(await get().workload.count({ where: { tenantId: ctx.tenantId } })).toBe(0)
  })

  it('of a machine of somebody else are refused, whatever it allows', async () => {
    const { seed } = await owned()
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const mine = createWorkload(member, asked({ mounts: [{ path: '/home/mara' }] }))
    await expect(mine).rejects.toMatchObject({
      code: 'invalid',
      args: { field: 'spec.mounts', limit: 'only on a machine that you own' },
    })
  })

  // With PostgreSQL only the machine knows where its data directory is.
  if (provider === 'sqlite')
    it('that are, hold or lie in the data directory are refused', async () => {
      const { ctx, machine } = await owned()
      const place = placeOf(get())
      const home = path.dirname(place.provider === 'sqlite' ? place.file : '/')
      await setMountRoots(ctx, machine.id, [path.dirname(home)])
      for (const folder of [home, `${home}/instances`, path.dirname(home)])
        await expect(createWorkload(ctx, asked({ mounts: [{ path: folder }] }))).rejects.toMatchObject({
          args: { field: 'spec.mounts', limit: expect.stringContaining('data directory') },
        })
      await expect(createWorkload(ctx, asked({ mounts: [{ path: path.dirname(home) }] }))).rejects.toThrow(
        /holds .*name folders below/,
      )
      const python = `${home}/venv/bin/python`
      await expect(createWorkload(ctx, asked({ python }))).rejects.toMatchObject({ args: { field: 'spec.python' } })
    })

  if (provider === 'sqlite')
    it('are allowed only where something can be shown: each refusal says in one sentence why', async () => {
      const { ctx, machine } = await owned()
      const place = placeOf(get())
      const home = path.dirname(place.provider === 'sqlite' ? place.file : '/')
      const around = await mkdtemp(path.join(tmpdir(), 'roots-'))
      await writeFile(path.join(around, 'file'), '')
      await symlink(home, path.join(around, 'link'))
      const refused: [string, string][] = [
        [path.join(around, 'none'), `${around}/none does not exist on atlas`],
        [path.join(around, 'file'), `${around}/file is a file, not a folder`],
        [path.join(around, 'link'), `${around}/link belongs to Berth itself`],
        [home, `${home} belongs to Berth itself`],
        ['/proc/self', '/proc/self belongs to the system'],
      ]
      for (const [root, limit] of refused)
        await expect(setMountRoots(ctx, machine.id, [root]), root).rejects.toMatchObject({
          code: 'invalid',
          args: { field: 'roots', limit },
        })
      // Those that were allowed and are not there any more stay as they are.
      const { mountRoots } = await setMountRoots(ctx, machine.id, ['/home/mara', around])
      expect(mountRoots).toEqual(['/home/mara', around].sort())
      await rm(around, { recursive: true })
    })

  it('are allowed by the owner of the machine or an operator, in bounds, and to nobody of another tenant', async () => {
    const { ctx, seed, machine } = await owned()
    const admin = await seedMember(get(), seed, 'admin')
    const set = (person: typeof admin, roots: string[]) => setMountRoots({ ...ctx, person }, machine.id, roots)
    await expect(set(admin, ['/usr'])).rejects.toMatchObject({ code: 'forbidden' })
    expect((await set({ ...admin, isOperator: true }, ['/usr', '/etc', '/usr'])).mountRoots).toEqual(['/etc', '/usr'])
    const other = ctxFor(get(), await seedTenant(get()))
    await expect(setMountRoots(other, machine.id, ['/srv'])).rejects.toMatchObject({ code: 'not_found' })
    for (const root of ['/', 'home', '/a/../b', '/a//b', '/a//'])
      await expect(set(ctx.person, [root])).rejects.toMatchObject({ code: 'invalid', args: { field: 'roots' } })
    expect((await listMachines(ctx))[0]?.mountRoots).toEqual(['/etc', '/usr'])
  })
})
