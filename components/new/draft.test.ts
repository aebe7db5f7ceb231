import { describe, expect, it } from 'vitest'
import type { Catalog } from '@/domain/catalog'
import { NO_SETTINGS } from '@/domain/workloads'
import { checkDraft } from './check-draft'
import { type Draft, defaultDraft, draftOf, formField, hasSize, offeredKinds, withChange, withClass, withSize } from './draft'

const GIB = 2 ** 30
const small = { id: 'small', title: 'Small', cpus: 1, memoryBytes: 2 * GIB, diskBytes: 5 * GIB }
const medium = { id: 'medium', title: 'Medium', cpus: 4, memoryBytes: 8 * GIB, diskBytes: 20 * GIB }
const large = { id: 'large', title: 'Large', cpus: 16, memoryBytes: 64 * GIB, diskBytes: 100 * GIB }
const l40s = { id: 'l40s-48gb', title: 'NVIDIA L40S', match: ['l40s'], memoryBytes: 48 * GIB, fallbacks: [] }
const runtime = { drivers: ['sim'], server: [], egress: { open: true, allow: [] }, defaultSize: 'small', detail: '' }
const catalog: Catalog = {
  version: 1,
  runtimes: [
    { ...runtime, id: 'jupyterlab', kind: 'notebook', title: 'JupyterLab' },
    { ...runtime, id: 'shell', kind: 'session', title: 'Shell' },
  ],
  sizes: [small, medium, large],
  classes: [l40s],
}
const notebook = (patch: Partial<Draft> = {}): Draft => ({ ...defaultDraft(catalog, 'notebook'), ...patch })

describe('a new form', () => {
  it('can be sent as it is, for every kind that the catalog offers', () => {
    expect(offeredKinds(catalog)).toEqual(['notebook', 'session'])
    for (const kind of offeredKinds(catalog)) expect(checkDraft(defaultDraft(catalog, kind)).errors).toBeNull()
  })

  it('starts from the last one of its kind, and gives the same spec', () => {
    const { spec } = checkDraft(
      notebook({ requirements: 'numpy>=2\n# later\n\npolars', gpu: { class: 'l40s-48gb', count: 2, allowFallbacks: true } }),
    )
    if (!spec) throw new Error('expected a spec')
    expect(spec.requirements).toEqual(['numpy>=2', 'polars'])
    expect(checkDraft(draftOf({ kind: 'notebook', spec, settings: NO_SETTINGS })).spec).toEqual(spec)
  })
})

describe('checkDraft', () => {
  it('refuses a size that is no number yet, so that nothing older is created in its place', () => {
    expect(checkDraft(notebook({ cpus: Number.NaN, memoryBytes: Number.NaN }))).toEqual({
      spec: null,
      errors: { cpus: 'a number', memoryBytes: 'a number' },
    })
  })

  it('names the field and its limit', () => {
    expect(checkDraft(notebook({ name: 'My Notes' })).errors?.name).toMatch(/^1 to 63 of a-z/)
    expect(checkDraft(notebook({ cpus: 0 })).errors).toEqual({ cpus: 'at least 1 CPU' })
    expect(checkDraft(notebook({ requirements: 'numpy\ngit+https://x' })).errors?.requirements).toMatch(
      /^“git\+https:\/\/x”: a package name/,
    )
    expect(checkDraft({ ...defaultDraft(catalog, 'session'), command: 'echo "' }).errors).toEqual({
      command: 'the double quote is not closed',
    })
  })

  it('names the row of a wrong folder as it stands in the form, beside rows that are empty', () => {
    const rows = ['', '/home/mara/data', '../etc'].map((path) => ({ path, mode: 'ro' as const }))
    expect(checkDraft(notebook({ mounts: rows })).errors).toEqual({ 'mounts.2': 'an absolute path below /, without ., .. or //' })
    expect(checkDraft(notebook({ mounts: rows.slice(0, 2) })).spec?.mounts).toEqual([{ path: '/home/mara/data', mode: 'ro' }])
    const twice = ['/a/data', '/b/data'].map((path) => ({ path, mode: 'rw' as const }))
    expect(checkDraft(notebook({ mounts: twice })).errors).toEqual({ mounts: 'two folders have the same last name' })
  })

  it('checks when it stops by the same bounds as the server', () => {
    expect(checkDraft(notebook({ settings: { ...NO_SETTINGS, idleMinutes: 5 } })).errors).toEqual({
      idleMinutes: 'at least 10 minutes',
    })
  })

  it.each([
    ['spec.mounts.1.path', 'mounts.1'],
    ['spec.requirements.3', 'requirements'],
    ['settings.parkAt.cron', 'parkAt.cron'],
    ['name', 'name'],
  ])('the server field %s is %s in the form', (field, own) => expect(formField(field)).toBe(own))

  it('sends nothing that belongs to another kind', () => {
    const { spec } = checkDraft({ ...defaultDraft(catalog, 'session'), requirements: 'numpy', command: 'claude -c' })
    expect(spec).toMatchObject({ requirements: [], command: ['claude', '-c'] })
    expect(checkDraft(notebook({ command: 'rm -rf "' })).spec).toMatchObject({ command: null })
  })
})

describe('sizes and classes', () => {
  it('brings a larger size with the first GPU and keeps it with the next class', () => {
    const one = withClass(notebook(), l40s, catalog)
    expect(one).toMatchObject({ cpus: medium.cpus, gpu: { class: 'l40s-48gb', count: 1 } })
    expect(withClass({ ...one, cpus: 7 }, l40s, catalog).cpus).toBe(7)
  })

  it('gives the GPU back with a size', () => {
    const plain = withSize(withClass(notebook(), l40s, catalog), large)
    expect([plain.gpu, hasSize(plain, large), hasSize(plain, small)]).toEqual([null, true, false])
  })

  it('applies a suggestion and nothing else', () => {
    const asked = withClass(notebook({ name: 'x', requirements: 'numpy' }), l40s, catalog)
    const { spec } = checkDraft(asked)
    if (!spec) throw new Error('expected a spec')
    expect(withChange(asked, spec, { gpuCount: 4 })).toEqual({
      ...asked,
      gpu: { class: 'l40s-48gb', count: 4, allowFallbacks: false },
    })
    expect(withChange(asked, spec, { dropGpu: true }).gpu).toBeNull()
  })
})
