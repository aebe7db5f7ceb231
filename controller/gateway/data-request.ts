import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { READ_INFO_HEADER } from '@/protocol/read'
import { readText } from './body'

/** What a request to the data host asks for, and the ticket that it shows. A form's answer is a file for its person. */
export type DataRequest = { ticket: string; fields: unknown; isForm: boolean }

const BODY_BYTES = 4096
const ticketText = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const PREFLIGHT_SECONDS = '600'

/**
 * Browsers are let in from exactly the dashboard; programs, which send no Origin, only when they show no sign of a browser.
 */
export function isAllowedFrom(request: IncomingMessage, dashboardOrigin: string): boolean {
  const { origin, cookie } = request.headers
  if (origin !== undefined) return origin === dashboardOrigin
  const hasFetchMetadata = Object.keys(request.headers).some((name) => name.startsWith('sec-fetch-'))
  return cookie === undefined && !hasFetchMetadata
}

/** Lets the dashboard's page read the answer, and no other page. No credentials: a cookie is worth nothing here. */
export function allowDashboard(request: IncomingMessage, response: ServerResponse, dashboardOrigin: string): void {
  response.setHeader('vary', 'origin')
  if (request.headers.origin !== dashboardOrigin) return
  response.setHeader('access-control-allow-origin', dashboardOrigin)
  response.setHeader('access-control-expose-headers', READ_INFO_HEADER)
}

/** Answers a browser that asks first. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': PREFLIGHT_SECONDS,
  })
  response.end()
}

/** Reads JSON with the ticket in `Authorization`, or a form with the ticket in its body. Errors: ticket, invalid. */
export async function readDataRequest(request: IncomingMessage): Promise<DataRequest> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json' && type !== FORM)
    throw new AppError('invalid', { field: 'content-type', limit: `application/json or ${FORM}` })
  const text = await readText(request, BODY_BYTES)
  if (text === null) throw new AppError('invalid', { field: 'body', limit: `at most ${BODY_BYTES} bytes, within 5 s` })
  const { ticket, ...fields } = type === FORM ? formOf(text) : { ...jsonOf(text), ticket: ticketOf(request) }
  const given = ticketText.safeParse(ticket)
  if (!given.success) throw new AppError('ticket', {})
  return { ticket: given.data, fields, isForm: type === FORM }
}

const FORM = 'application/x-www-form-urlencoded'

function ticketOf(request: IncomingMessage): string | undefined {
  return /^Ticket ([A-Za-z0-9_-]{43})$/.exec(request.headers.authorization ?? '')?.[1]
}

/** A name that comes twice counts as none. */
function formOf(text: string): Record<string, unknown> {
  const pairs = new URLSearchParams(text)
  const names = new Set(pairs.keys())
  return Object.fromEntries([...names].map((name) => [name, pairs.getAll(name).length === 1 ? pairs.get(name) : null]))
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // no JSON: refused below like everything that is no object
  }
  throw new AppError('invalid', { field: 'body', limit: 'a JSON object' })
}
