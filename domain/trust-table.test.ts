import { expect, it } from 'vitest'
import { askOf, candidateOf, inventoryOf, machineOf } from '@/testing/candidates'
import { DRIVER_ROWS } from './drivers'
import { checkPlacement } from './funnel'

const WHOSE = {
  own: {},
  'of a colleague': { ownerId: 'someone' },
  'of another tenant': { tenantId: 'other', ownerId: 'someone' },
} as const
const offer = { works: true, detail: null, fix: null, canPause: true }

it('N9: where somebody may run, for every trust, owner, sharing and driver: the reviewed table', () => {
  const lines: string[] = []
  for (const trust of ['trusted', 'untrusted'] as const)
    for (const [whose, change] of Object.entries(WHOSE))
      for (const sharing of ['owner', 'tenant', 'invited', 'everyone'] as const) {
        const runs = DRIVER_ROWS.filter((row) => {
          const machine = machineOf('m', { ...change, sharing, inventory: inventoryOf({ drivers: [{ ...offer, row }] }) })
          return checkPlacement(askOf({}, { trust }), candidateOf(machine)).fit !== null
        })
        lines.push(`${trust}, ${whose}, for ${sharing}: ${runs.join(' ') || '–'}`)
      }
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "trusted, own, for owner: sim process-plain process-sandboxed
    trusted, own, for tenant: sim process-plain process-sandboxed
    trusted, own, for invited: sim process-plain process-sandboxed
    trusted, own, for everyone: sim process-plain process-sandboxed
    trusted, of a colleague, for owner: –
    trusted, of a colleague, for tenant: process-sandboxed
    trusted, of a colleague, for invited: –
    trusted, of a colleague, for everyone: process-sandboxed
    trusted, of another tenant, for owner: –
    trusted, of another tenant, for tenant: –
    trusted, of another tenant, for invited: –
    trusted, of another tenant, for everyone: process-sandboxed
    untrusted, own, for owner: sim process-plain process-sandboxed
    untrusted, own, for tenant: sim process-plain process-sandboxed
    untrusted, own, for invited: sim process-plain process-sandboxed
    untrusted, own, for everyone: sim process-plain process-sandboxed
    untrusted, of a colleague, for owner: –
    untrusted, of a colleague, for tenant: –
    untrusted, of a colleague, for invited: –
    untrusted, of a colleague, for everyone: –
    untrusted, of another tenant, for owner: –
    untrusted, of another tenant, for tenant: –
    untrusted, of another tenant, for invited: –
    untrusted, of another tenant, for everyone: –"
  `)
})
