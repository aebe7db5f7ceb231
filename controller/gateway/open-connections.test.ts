import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { OpenConnections } from './open-connections'

const log = createLog('test', { destination: new PassThrough() })

function connection(userId: string, change: { tenantId?: string; isAllowed?: () => Promise<boolean> } = {}) {
  const ended = { count: 0 }
  const end = () => {
    ended.count++
  }
  return { userId, tenantId: 't', isAllowed: async () => true, ...change, end, ended }
}

describe('OpenConnections', () => {
  it('holds a person and a tenant to their numbers, and counts what ended no more', () => {
    const open = new OpenConnections(log, { perUser: 2, perTenant: 3 })
    const first = open.add(connection('a'))
    expect(open.add(connection('a'))).not.toBeNull()
    expect(open.add(connection('a'))).toBeNull()
    expect(open.add(connection('b'))).not.toBeNull()
    expect(open.add(connection('c'))).toBeNull()
    expect(open.add(connection('c', { tenantId: 'other' }))).not.toBeNull()
    first?.()
    first?.()
    expect(open.add(connection('a'))).not.toBeNull()
    expect(open.add(connection('a'))).toBeNull()
  })

  it('ends what is not allowed any more, and nothing else', async () => {
    const open = new OpenConnections(log, { perUser: 9, perTenant: 9 })
    const [kept, lost] = [connection('a'), connection('a', { isAllowed: async () => false })]
    open.add(kept)
    open.add(lost)
    await open.sweep()
    expect([kept.ended.count, lost.ended.count]).toEqual([0, 1])
  })

  it('lets nothing in that was judged while all the others were ended: it would hold up the end for ever', () => {
    const open = new OpenConnections(log, { perUser: 9, perTenant: 9 })
    const early = connection('a')
    open.add(early)
    open.endAll()
    expect([early.ended.count, open.add(connection('a'))]).toEqual([1, null])
  })

  it('ends nothing while the store does not answer, and asks again', async () => {
    const open = new OpenConnections(log, { perUser: 9, perTenant: 9 })
    let isThere = false
    const asked = connection('a', {
      isAllowed: async () => {
        if (isThere) return false
        throw new Error('away')
      },
    })
    open.add(asked)
    await open.sweep()
    expect(asked.ended.count).toBe(0)
    isThere = true
    await open.sweep()
    expect(asked.ended.count).toBe(1)
  })
})
