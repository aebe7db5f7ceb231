import { describe, expect, it } from 'vitest'
import type { EgressPolicy } from './policy'
import { judge } from './policy'
import { absoluteTarget, canonicalHost, connectTarget } from './target'

const closed: EgressPolicy = { open: false, allow: [], registries: [] }
const go = (policy: EgressPolicy, authority: string) => {
  const target = connectTarget(authority)
  return target === null ? 'unreadable' : judge(policy, target)
}
const allowed = { isAllowed: true, mayBePrivate: false }
const denied = { isAllowed: false, reason: 'host' }

describe('what an instance may reach', () => {
  it('E10: is nothing by default', () => {
    expect(go(closed, 'example.com:443')).toEqual(denied)
    expect(go(closed, '93.184.216.34:443')).toEqual(denied)
  })

  it('E4: matches exact hosts and suffixes, never the suffix itself or a look-alike', () => {
    const policy = { ...closed, allow: ['example.com', '*.trees.example', 'Upper.Example'] }
    for (const host of ['example.com', 'EXAMPLE.com', 'example.com.', 'a.trees.example', 'a.b.trees.example', 'upper.example'])
      expect(go(policy, `${host}:443`)).toEqual(allowed)
    for (const host of ['trees.example', 'notexample.com', 'example.com.evil.example', 'evil-trees.example', 'xtrees.example'])
      expect(go(policy, `${host}:443`)).toEqual(denied)
  })

  it('keeps to the two ports of the web, also where every host is open', () => {
    const open = { ...closed, open: true }
    expect([go(open, 'example.com:80'), go(open, 'example.com:443')]).toEqual([allowed, allowed])
    for (const port of [22, 25, 8443, 3128]) expect(go(open, `example.com:${port}`)).toEqual({ isAllowed: false, reason: 'port' })
  })

  it('lets exactly the host and port of a registry of the machine be private', () => {
    const policy = { ...closed, registries: [{ host: 'mirror.corp', port: 8081 }] }
    expect(go(policy, 'mirror.corp:8081')).toEqual({ isAllowed: true, mayBePrivate: true })
    expect(go(policy, 'mirror.corp:443')).toEqual(denied)
    expect(go(policy, 'sub.mirror.corp:8081')).toEqual(denied)
  })
})

describe('reading a target', () => {
  it('E4: refuses what two programs could read differently', () => {
    for (const bad of [
      'example.com',
      'example.com:0',
      'example.com:70000',
      'example.com:443:1',
      'a@example.com:443',
      'exa mple.com:443',
      'example.com\0.evil.example:443',
      'example\u3002com:443',
      'ex\u00e4mple.com:443',
      '2130706433:443',
      '0x7f000001:443',
      '0177.0.0.1:443',
      '127.1:443',
      '1.2.3:80',
      '[example.com]:443',
      '::1:443',
      '[::1:443',
      '-a.example:443',
      'a-.example:443',
      '..:443',
      ':443',
    ])
      expect(connectTarget(bad), bad).toBeNull()
  })

  it('takes literal addresses in their strict form only', () => {
    expect(connectTarget('8.8.8.8:443')).toEqual({ host: '8.8.8.8', port: 443, isLiteral: true })
    expect(connectTarget('[2606:4700::1]:443')).toEqual({ host: '2606:4700::1', port: 443, isLiteral: true })
  })

  it('reads absolute addresses of plain HTTP only', () => {
    expect(absoluteTarget('http://Example.com/a?b=c')).toEqual({
      host: 'example.com',
      port: 80,
      isLiteral: false,
      path: '/a?b=c',
    })
    expect(absoluteTarget('http://example.com:8080')).toEqual({ host: 'example.com', port: 8080, isLiteral: false, path: '/' })
    for (const bad of [
      '/a',
      'https://example.com/',
      'ftp://example.com/',
      'http://u:p@example.com/',
      'http://example.com\\@evil/',
      'http://',
      'http://a b/',
    ])
      expect(absoluteTarget(bad), bad).toBeNull()
  })

  it('writes a host in one way', () => {
    expect(canonicalHost('A.Example.')).toBe('a.example')
    expect(canonicalHost('a..example')).toBeNull()
    expect(canonicalHost('x'.repeat(64))).toBeNull()
  })
})
