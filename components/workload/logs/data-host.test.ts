import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openLog } from './data-host'

const server = createServer((request, response) => {
  response.writeHead(200, { 'berth-read': request.headers.authorization?.slice('Ticket '.length) ?? '' }).end('log')
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

it('a log whose head was broken on the way is refused with a sentence', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = { source: 'output', placementId: null, tailBytes: null, isFollowed: false } as const
  for (const head of ['{', 'null', '{"placementId":"p"}'])
    await expect(openLog({ origin, ticket: head, signal: new AbortController().signal }, ask)).rejects.toMatchObject({
      name: 'Refused',
      code: 'unavailable',
    })
})
