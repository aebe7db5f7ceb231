import { expect, it } from 'vitest'
import { hostPath, mounts } from './mounts'

const REFUSED = [
  ...['', '/', '//', '.', '..', 'data', './data', '~/data', 'C:\\data', '\\\\host\\share', 'file:///data', '/..', '/../etc'],
  ...['/data/..', '/data/../../etc', '/data/./x', '/data//x', '//data', '/data/../', '/./data', '/data/.', '/data/..//'],
  ...['/data\0', '/data\0/../etc', '\0/data', '/data\n', '/data\r\n/x', '/da\nta', `/${'a'.repeat(1024)}`],
]
/** Odd names that are names all the same: nothing decodes, normalises or expands them. */
const KEPT = [
  '/%2e%2e',
  '/data/%2e%2e/etc',
  '/data\\..\\etc',
  '/．．/etc',
  '/data/…',
  '/data/$HOME',
  '/-rf',
  '/data/.. ',
  '/da ta/ü',
  '/.x',
]

it('F5: a path with a part that leads elsewhere is refused, and one that only looks so is kept letter by letter', () => {
  for (const path of REFUSED) expect([path, hostPath.safeParse(path).success]).toEqual([path, false])
  for (const path of KEPT) expect(hostPath.parse(path)).toBe(path)
})

it('F5: no payload of 500, made of the parts that programs read differently, leads above its folder', () => {
  const parts = ['..', '.', '', '%2e%2e', '..\\', '\0', '..%00', '．．', 'a', ' ', '...', '..;', '\u202e', '~']
  let taken = 0
  for (let n = 0; n < 500; n++) {
    const path = `/data/${[n, n * 7 + 1, n * 13 + 5].map((k) => parts[k % parts.length]).join('/')}/x`
    if (!hostPath.safeParse(path).success) continue
    taken += 1
    expect(new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`).pathname.startsWith('/data/')).toBe(true)
    expect(path.split('/').slice(1)).not.toContain('..')
    expect(path).not.toMatch(/\0|\/\//)
  }
  expect(taken).toBeGreaterThan(20)
})

it('F5: two folders of one name are refused, since one would hide the other', () => {
  expect(mounts.safeParse([{ path: '/a/data' }, { path: '/b/data/' }]).success).toBe(false)
})
