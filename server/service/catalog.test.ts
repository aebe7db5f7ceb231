import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadCatalog } from './catalog'

describe('the catalog', () => {
  let file: string
  beforeEach(() => {
    file = path.join(mkdtempSync(path.join(tmpdir(), 'berth-catalog-')), 'catalog.yaml')
  })
  afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }))
  const written = (text: string) => {
    writeFileSync(file, text)
    return loadCatalog(file)
  }
  const sizes = 'sizes: [{ id: small, title: S, cpus: 1, memoryBytes: 1, diskBytes: 0 }]'
  const runtimes = (size: string) =>
    `runtimes: [{ id: shell, kind: session, title: S, detail: "", drivers: [sim], egress: { open: false }, defaultSize: ${size} }]`

  it('that Berth ships is valid', async () => {
    const shipped = await loadCatalog('catalog/catalog.yaml')
    expect(shipped.runtimes.map((r) => r.id)).toContain('jupyterlab')
  })

  it('with a fault stops the start and names the entry', async () => {
    await expect(written(`version: 2\n${runtimes('small')}\n${sizes}`)).rejects.toThrow(/catalog.yaml: version/)
    await expect(written(`version: 1\n${sizes}`)).rejects.toThrow(/catalog.yaml: runtimes/)
    await expect(written('version: [1\nsizes: {')).rejects.toThrow(/^[^\n]*catalog.yaml: [^\n]* at line 2[^\n]*$/)
    await expect(loadCatalog('/nowhere/catalog.yaml')).rejects.toThrow(/^BERTH_CATALOG: .* cannot be read \(ENOENT\)$/)
  })

  it('names hosts and nothing around them: an address would match nothing', async () => {
    const allowing = (host: string) => runtimes('small').replace('open: false', `open: false, allow: ["${host}"]`)
    const read = (host: string) => written(`version: 1\n${allowing(host)}\n${sizes}`)
    await expect(read('*.example.org')).resolves.toMatchObject({ runtimes: [{ egress: { allow: ['*.example.org'] } }] })
    for (const host of ['https://example.org', 'example.org:443', 'example.org/a', '*', 'Example'])
      await expect(read(host)).rejects.toThrow(/runtimes.0.egress.allow.0: a host such as/)
  })

  it('may name only sizes and classes that it has', async () => {
    await expect(written(`version: 1\n${runtimes('huge')}\n${sizes}`)).rejects.toThrow(/runtime shell: there is no size huge/)
    const classes = 'classes: [{ id: l4, title: L4, match: [l4], memoryBytes: 1, fallbacks: [none] }]'
    await expect(written(`version: 1\n${runtimes('small')}\n${sizes}\n${classes}`)).rejects.toThrow(
      /class l4: there is no class none/,
    )
  })
})
