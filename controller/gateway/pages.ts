import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** A small page of Berth's own on a workload's host. It loads nothing and runs only the script given here. */
export type Page = {
  status: number
  title: string
  text: string
  link?: { href: string; text: string }
  script?: string
  headers?: Readonly<Record<string, string>>
}

/** Sends a page. Texts are escaped; scripts are constants of this folder. */
export function sendPage(response: ServerResponse, page: Page): void {
  const nonce = randomBytes(18).toString('base64url')
  const body = pageHtml(page, nonce)
  response.writeHead(page.status, {
    ...plainHeaders(Buffer.byteLength(body), 'text/html; charset=utf-8'),
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ...page.headers,
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Sends one sentence, for what is no page: scripts, images, programs. */
export function sendText(response: ServerResponse, answer: TextAnswer): void {
  const body = `${answer.text}\n`
  response.writeHead(answer.status, { ...plainHeaders(Buffer.byteLength(body), 'text/plain; charset=utf-8'), ...answer.headers })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
export type TextAnswer = { status: number; text: string; headers?: Readonly<Record<string, string | string[]>> }

/** Sends a value to a script of ours, or to the command line. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, plainHeaders(Buffer.byteLength(body), 'application/json'))
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function plainHeaders(bytes: number, type: string): Record<string, string | number> {
  return {
    'content-type': type,
    'content-length': bytes,
    'cache-control': 'no-store',
    'referrer-policy': 'strict-origin',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-robots-tag': 'noindex, nofollow',
  }
}

function pageHtml(page: Page, nonce: string): string {
  const link = page.link ? `<p><a id="link" href="${escapeHtml(page.link.href)}">${escapeHtml(page.link.text)}</a></p>` : ''
  const script = page.script ? `<script nonce="${nonce}">${page.script}</script>` : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(page.title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escapeHtml(page.title)}</h1><p id="text" role="status">${escapeHtml(page.text)}</p>${link}</main>${script}</body></html>
`
}

/** System colours and fonts follow the browser's theme; a page of 1 kB needs no more. */
const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:15px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:32rem;padding:2rem}h1{font-size:1.125rem;font-weight:600;margin:0 0 .5rem}p{margin:0 0 .75rem}a{color:LinkText}`

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
