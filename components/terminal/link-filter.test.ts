import { describe, expect, it } from 'vitest'
import { linkTarget } from './link-filter'

const REFUSED = [
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:http://a/b',
  'ftp://a/b',
  'ssh://a',
  'vscode://file/x',
  'chrome://settings',
  'about:blank',
  'view-source:http://a',
  'JaVaScRiPt:alert(1)',
  ' \tjavascript:alert(1)',
  'intent://a#Intent;end',
  'mailto:a@b.c',
  '/relative',
  '',
]

describe('links of the terminal', () => {
  it.each(REFUSED)('V4: refuses %j', (uri) => {
    expect(linkTarget(uri)).toBeNull()
  })

  it('shows the address as the browser will read it', () => {
    expect(linkTarget('https://EXAMPLE.org/a b')).toEqual({
      href: 'https://example.org/a%20b',
      host: 'example.org',
      hasUser: false,
    })
    expect(linkTarget('http://bank.example@evil.example/')).toMatchObject({ host: 'evil.example', hasUser: true })
    expect(linkTarget('https://аpple.com/')?.host).toBe('xn--pple-43d.com')
  })
})
