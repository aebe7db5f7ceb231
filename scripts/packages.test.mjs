import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.dirname(import.meta.dirname)
const read = (name) => readFileSync(path.join(root, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))

/** Oldest versions without a known hole that matters here; a package that is not installed needs none. */
const FLOORS = {
  next: '16.2.6',
  react: '19.2.6',
  'react-dom': '19.2.6',
  '@trpc/server': '11.8.0',
  ws: '8.17.1',
  tar: '7.5.8',
  'better-sqlite3': '12.8.0',
  'next-auth': '4.24.12',
}

/** Every package of a lock file as `[name, { version, … }]`, also one inside another. */
const packagesOf = ({ packages }) =>
  Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, about]) => [place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), about])

function isOlder(version, floor) {
  const [a, b] = [version, floor].map((text) => text.split('-')[0].split('.').map(Number))
  const at = a.findIndex((part, i) => part !== b[i])
  return at === -1 ? version.includes('-') : a[at] < b[at]
}

const belowFloor = (of) =>
  packagesOf(of)
    .filter(([name, { version }]) => FLOORS[name] && isOlder(version, FLOORS[name]))
    .map(([name, { version }]) => `${name} ${version}: at least ${FLOORS[name]}`)

/** What is wrong with where packages come from, and with what they may do while they are installed. */
function faultsOf(asked, locked) {
  const direct = Object.entries({ ...asked.dependencies, ...asked.devDependencies })
  const root = { ...locked.packages[''].dependencies, ...locked.packages[''].devDependencies }
  return [
    ...direct.filter(([, wanted]) => !/^\^?\d+(\.\d+){0,2}[-.\w]*$/.test(wanted)).map(([name]) => `${name}: not a version`),
    ...direct
      .filter(([name]) => !name.startsWith('@types/') && /^\^/.test(asked.dependencies[name] ?? ''))
      .map(([name]) => `${name}: not exact`),
    ...direct.filter(([name, wanted]) => root[name] !== wanted).map(([name]) => `${name}: not as locked`),
    ...packagesOf(locked).flatMap(([name, about]) => [
      ...(about.hasInstallScript && asked.allowScripts[name] === undefined
        ? [`${name}: an install script that nobody judged`]
        : []),
      ...(about.link || /^(git|file|https?:)/.test(about.resolved ?? '') ? [`${name}: not from the registry`] : []),
      ...(about.inBundle || /^sha512-/.test(about.integrity ?? '') ? [] : [`${name}: no checksum`]),
    ]),
  ]
}

describe('the packages', () => {
  it('C2: are none of those with a known hole', () => {
    expect(belowFloor(lock)).toEqual([])
    expect(Object.keys(FLOORS).filter((name) => packagesOf(lock).some(([n]) => n === name)).length).toBeGreaterThan(6)
  })

  it('C2: a version below a floor is caught, also one inside another package', () => {
    const packages = {
      '': {},
      'node_modules/next': { version: '16.2.5' },
      'node_modules/x/node_modules/ws': { version: '8.9.0' },
    }
    const fine = { 'node_modules/react': { version: '19.10.0' }, 'node_modules/tar': { version: '7.5.8' } }
    expect(belowFloor({ packages: { ...packages, ...fine } })).toEqual([
      'next 16.2.5: at least 16.2.6',
      'ws 8.9.0: at least 8.17.1',
    ])
    expect(isOlder('16.2.6-canary.1', '16.2.6')).toBe(true)
  })

  it('C1: come from the registry with a checksum, and run a script of theirs only where it was judged', () => {
    expect(faultsOf(manifest, lock)).toEqual([])
  })

  it.each([
    ['an install script', { hasInstallScript: true, integrity: 'sha512-x' }, 'an install script that nobody judged'],
    ['another place', { resolved: 'git+ssh://example.org/a', integrity: 'sha512-x' }, 'not from the registry'],
    ['a folder', { link: true, integrity: 'sha512-x' }, 'not from the registry'],
    ['no checksum', {}, 'no checksum'],
    ['a weak checksum', { integrity: 'sha1-x' }, 'no checksum'],
  ])('C1: one with %s is caught', (_what, about, fault) => {
    const packages = { '': {}, 'node_modules/planted': { version: '1.0.0', ...about } }
    expect(faultsOf({ allowScripts: {} }, { packages })).toEqual([`planted: ${fault}`])
  })

  it('C1: a new or changed one without its entry in the lock file is caught', () => {
    const asked = { allowScripts: {}, dependencies: { added: '1.0.0', range: '^2.0.0', url: 'https://example.org/a.tgz' } }
    const packages = { '': { dependencies: { range: '^2.0.0', url: 'https://example.org/a.tgz' } } }
    expect(faultsOf(asked, { packages })).toEqual(['url: not a version', 'range: not exact', 'added: not as locked'])
  })

  it('C7: this one can be published by nobody by mistake', () => {
    expect(manifest.private).toBe(true)
    expect(manifest.workspaces).toBeUndefined()
  })
})
