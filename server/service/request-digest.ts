import { createHash } from 'node:crypto'
import type { CreateWorkloadInput } from '@/domain/workloads'

/** The same for the same request, however its members were ordered; the idempotency key itself is not part of it. */
export function requestDigest(input: CreateWorkloadInput): string {
  const { idempotencyKey: _, ...request } = input
  return createHash('sha256').update(canonical(request)).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
