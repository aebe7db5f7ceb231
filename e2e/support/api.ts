// Procedures of the API, called as the pages call them.
import type { Page } from '@playwright/test'

/** Asks for something by name. */
export function ask<T>(page: Page, procedure: string, input: unknown): Promise<T> {
  const json = encodeURIComponent(JSON.stringify({ json: input }))
  return page.evaluate(send<T>, { address: `/api/trpc/${procedure}?input=${json}`, init: {} })
}

/** Has something done by name. */
export function order<T>(page: Page, procedure: string, input: unknown): Promise<T> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ json: input }) }
  return page.evaluate(send<T>, { address: `/api/trpc/${procedure}`, init })
}

/** Runs in the page. */
async function send<T>({ address, init }: { address: string; init: RequestInit }): Promise<T> {
  const answer = await fetch(address, init)
  const said = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(said))
  return said.result.data.json
}
