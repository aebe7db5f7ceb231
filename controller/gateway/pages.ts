import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { plainPage } from '@/domain/plain-page'

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

function pageHtml({ title, text, link, script }: Page, nonce: string): string {
  const at = link ? `<p><a id="link" href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : ''
  const main = `<h1>${escapeHtml(title)}</h1><p id="text" role="status">${escapeHtml(text)}</p>${at}`
  return plainPage({ title: escapeHtml(title), main, nonce, ...(script && { script }) })
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
