import { NextRequest } from 'next/server'
import { describe, expect, it } from 'vitest'
import { proxy } from '@/proxy'

const HOST = 'berth.localhost:7480'

function ask(path: string, host: string | null, init: { method?: string; headers?: Record<string, string> } = {}): Response {
  const headers = new Headers(init.headers)
  if (host !== null) headers.set('host', host)
  return proxy(new NextRequest(`http://127.0.0.1:7480${path}`, { method: init.method ?? 'GET', headers }))
}
const goesOn = (response: Response) => response.headers.get('x-middleware-next') === '1'

describe('proxy: hosts', () => {
  it.each(['/', '/workloads/1', '/api/trpc/me.get', '/_next/static/a.js', '/favicon.ico', '/open/abc'])(
    'A8, T9: answers 421 on %s for foreign hosts',
    (path) => {
      const hosts = [
        null,
        '',
        'evil.example',
        'berth.localhost',
        'berth.localhost:7481',
        'BERTH.localhost:7480',
        `${HOST}.`,
        `${HOST},evil`,
        'evil.berth.localhost:7480',
        'localhost:7481',
      ]
      for (const host of hosts) {
        const response = ask(path, host, { headers: { 'x-forwarded-host': HOST } })
        expect([host, response.status]).toEqual([host, 421])
      }
    },
  )

  it.each(['localhost:7480', '127.0.0.1:7480', '[::1]:7480'])(
    '%s answers the page that leads to the dashboard, and nothing else',
    async (host) => {
      for (const path of ['/', '/setup', '/workloads/1']) {
        const response = ask(path, host)
        expect(response.status).toBe(200)
        expect(response.headers.get('set-cookie')).toBeNull()
        const text = await response.text()
        expect(text).toContain(`const ORIGIN = "http://${HOST}"`)
        const nonce = /nonce-([\w+/=]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
        expect(text).toContain(`<script nonce="${nonce}">`)
        expect(response.headers.get('content-security-policy')).toContain(`connect-src http://${HOST};`)
      }
      for (const path of ['/api/trpc/me.get', '/api', '/_next/static/a.js', '/favicon.ico', '/.berth/here'])
        expect(ask(path, host).status).toBe(421)
      for (const method of ['POST', 'HEAD', 'PUT', 'OPTIONS']) expect(ask('/', host, { method }).status).toBe(421)
    },
  )

  it('the dashboard says that it is here, to any page, with nothing in it', async () => {
    const response = ask('/.berth/here', HOST, { headers: { origin: 'http://localhost:7480', 'sec-fetch-site': 'cross-site' } })
    expect(response.status).toBe(204)
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('proxy: headers', () => {
  it('a page gets a policy with a nonce of its own, which Next reads from the request', () => {
    const [first, second] = [ask('/', HOST), ask('/', HOST)]
    const policy = first.headers.get('content-security-policy') ?? ''
    expect(goesOn(first)).toBe(true)
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/]{22}==' 'strict-dynamic';/)
    expect(policy).toContain(`connect-src 'self' ws://io.${'berth.localhost:7481'} http://io.berth.localhost:7481;`)
    expect(policy).toContain(`form-action 'self' http://io.berth.localhost:7481;`)
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).not.toMatch(/style-src [^;]*unsafe-inline/)
    expect(policy).not.toBe(second.headers.get('content-security-policy'))
    expect(first.headers.get('x-middleware-request-content-security-policy')).toBe(policy)
    expect(first.headers.get('cache-control')).toBe('no-store')
  })

  it('T3: a request cannot bring a nonce of its own', () => {
    const response = ask('/', HOST, { headers: { 'x-nonce': 'mine', 'content-security-policy': `script-src 'nonce-mine'` } })
    expect(response.headers.get('x-middleware-request-x-nonce')).not.toBe('mine')
    expect(response.headers.get('x-middleware-request-content-security-policy')).not.toContain('nonce-mine')
  })

  it.each(['/', '/api/trpc/x', '/_next/static/a.js', '/.berth/here'])(
    '%s has the fixed headers and none of the forbidden ones',
    (path) => {
      const { headers } = ask(path, HOST)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('strict-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('origin-agent-cluster')).toBe('?1')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      for (const name of ['strict-transport-security', 'access-control-allow-origin', 'x-powered-by'])
        expect(headers.get(name)).toBeNull()
    },
  )

  it('T9: the API is never cached; hashed files keep their own lifetime', () => {
    expect(ask('/api/trpc/x', HOST).headers.get('cache-control')).toBe('no-store')
    expect(ask('/_next/static/a.js', HOST).headers.get('cache-control')).toBeNull()
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('T4: a page refuses %s: there are no server actions', (method) => {
    const response = ask('/', HOST, { method, headers: { 'next-action': 'x', 'content-type': 'text/x-component' } })
    expect(response.status).toBe(405)
    expect(goesOn(ask('/api/trpc/x', HOST, { method }))).toBe(true)
  })
})
