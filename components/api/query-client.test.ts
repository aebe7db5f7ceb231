import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { makeQueryClient } from './query-client'

afterEach(() => onlineManager.setOnline(true))

it('asks and sends in a browser that believes to be offline: Berth is on the same computer', async () => {
  onlineManager.setOnline(false)
  const client = makeQueryClient()
  expect(await client.fetchQuery({ queryKey: ['one'], queryFn: async () => 'answered' })).toBe('answered')
  expect(await new MutationObserver(client, { mutationFn: async () => 'done' }).mutate()).toBe('done')
})
