import { expect, it } from 'vitest'
import { sampleSpec } from '../../testing/sample-spec'
import type { InstanceRecord } from './instance-record'
import { Records } from './records'

const spec = sampleSpec()
const at = (phase: InstanceRecord['phase']): InstanceRecord => ({ spec, bootId: 'b', phase, code: 'ok', subject: null })

/** A store whose writes wait until they are let go, each in its turn. */
function slowStore(first: InstanceRecord) {
  let record = first
  const waiting: (() => void)[] = []
  return {
    record: () => record,
    letGo: () => waiting.shift()?.(),
    store: {
      read: async () => record,
      write: async (next: InstanceRecord) => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        record = next
      },
    },
  }
}

it('an order to end that comes while a start is being noted as up stays the last word', async () => {
  const { store, letGo, record } = slowStore(at('starting'))
  const records = new Records(store, () => undefined)
  let left = 2
  const all = [records.move(spec.placementId, { phase: 'up' }), records.save(at('stopping'))].map((each) =>
    each.finally(() => {
      left -= 1
    }),
  )
  while (left > 0) {
    letGo()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(all)
  expect(record().phase).toBe('stopping')
})

it('an instance that is on its way out is not moved any more', async () => {
  for (const phase of ['stopping', 'stopped', 'removed'] as const) {
    const written: string[] = []
    const store = { read: async () => at(phase), write: async (next: InstanceRecord) => void written.push(next.phase) }
    await new Records(store, () => undefined).move(spec.placementId, { phase: 'up' })
    expect(written, phase).toEqual([])
  }
})
