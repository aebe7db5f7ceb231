import { describe, expect, it } from 'vitest'
import { changeLink } from '@/components/workload/change-link'
import type { Catalog } from '@/domain/catalog'
import { viewOf } from '@/testing/workload-view'
import { nextName, readLink } from './link'

const runtime = { drivers: ['sim'], server: [], egress: { open: true, allow: [] }, defaultSize: 'small', detail: '' }
const catalog: Catalog = {
  version: 1,
  runtimes: [
    { ...runtime, id: 'jupyterlab', kind: 'notebook', title: 'JupyterLab' },
    { ...runtime, id: 'shell', kind: 'session', title: 'Shell' },
  ],
  sizes: [{ id: 'small', title: 'Small', cpus: 1, memoryBytes: 2 ** 31, diskBytes: 0 }],
  classes: [],
}
const queryOf = (href: string) => Object.fromEntries(new URLSearchParams(href.split('?')[1]))
const good = queryOf(changeLink(viewOf({ name: 'train' })))

describe('readLink', () => {
  it('gives back the request that the page of a workload wrote into its link', () => {
    const { spec } = viewOf()
    const change = queryOf(changeLink(viewOf({ name: 'train' }), { cpus: 4 }))
    expect(readLink(good, catalog).filled).toMatchObject({ kind: 'notebook', name: 'train-2', spec })
    expect(readLink(change, catalog).filled?.spec).toEqual({ ...spec, cpus: 4 })
  })

  it.each([
    ['no JSON', { ...good, spec: '{"runtime":' }],
    ['an unknown field', { ...good, spec: JSON.stringify({ ...viewOf().spec, isRoot: true }) }],
    ['a value outside its bounds', { ...good, spec: JSON.stringify({ ...viewOf().spec, cpus: 0 }) }],
    ['a runtime that the catalog lacks', { ...good, spec: JSON.stringify({ ...viewOf().spec, runtime: 'gone' }) }],
    ['another kind than its runtime', { ...good, kind: 'session' }],
    ['a folder that climbs', { ...good, spec: JSON.stringify({ ...viewOf().spec, mounts: [{ path: '/home/../etc' }] }) }],
    ['two specs', { ...good, spec: [good.spec ?? '', good.spec ?? ''] }],
    ['settings outside their bounds', { ...good, settings: '{"idleMinutes":1}' }],
  ])('V10: takes nothing of a link with %s, and says so', (_, query) => {
    expect(readLink(query, catalog)).toMatchObject({ filled: null, isBroken: true })
  })

  it('is not broken without a spec, whatever the kind is', () => {
    expect(readLink({ kind: 'session' }, catalog)).toEqual({ kind: 'session', filled: null, isBroken: false })
    expect(readLink({ kind: 'castle' }, catalog)).toEqual({ kind: null, filled: null, isBroken: false })
  })
})

describe('nextName', () => {
  it.each([
    ['train', 'train-2'],
    ['train-2', 'train-3'],
    ['calm-harbor-431', 'calm-harbor-432'],
    ['a'.repeat(63), `${'a'.repeat(61)}-2`],
    ['Not A Name', ''],
  ])('%s is followed by %s', (name, next) => expect(nextName(name)).toBe(next))
})
