import { TRPCError } from '@trpc/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { createWorkloadInput } from '@/domain/workloads'
import { describeError, refusal, toTrpcError } from './errors'

const wrapped = (cause: unknown) => new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause })
const complaint = (input: unknown) => {
  const parsed = createWorkloadInput.safeParse(input)
  return describeError(new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error }), 'r').berth
}
const spec = { runtime: 'shell', cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0 }

describe('errors of the API', () => {
  it.each([
    [new AppError('not_found', { what: 'workload' }), 'NOT_FOUND'],
    [new AppError('unauthenticated', {}), 'UNAUTHORIZED'],
    [new AppError('forbidden', { action: 'x' }), 'FORBIDDEN'],
    [new AppError('name_taken', { name: 'a' }), 'CONFLICT'],
    [new AppError('over_limit', { limit: 'x', max: 1 }), 'TOO_MANY_REQUESTS'],
    [new AppError('unavailable', { what: 'x' }), 'SERVICE_UNAVAILABLE'],
  ])('%s has the status %s, its code and its arguments', (failure, code) => {
    const error = toTrpcError(wrapped(failure))
    expect(error.code).toBe(code)
    expect(describeError(error, 'r')).toEqual({
      message: failure.message,
      berth: { code: failure.code, args: failure.args, requestId: 'r' },
    })
  })

  it('says nothing of a fault of ours but the request id', () => {
    const fault = new Error('UNIQUE constraint failed: user.email /home/somebody/berth.db')
    const { message, berth } = describeError(toTrpcError(wrapped(fault)), 'r-1')
    expect(berth).toEqual({ code: 'internal', args: {}, requestId: 'r-1' })
    expect(message).not.toContain('UNIQUE')
    expect(
      JSON.stringify(describeError(new TRPCError({ code: 'BAD_REQUEST', message: 'Unexpected token canary' }), 'r')),
    ).not.toContain('canary')
  })

  it('names the field and the limit of the first complaint', () => {
    expect(complaint({ kind: 'session', name: 'Not Allowed', spec })).toMatchObject({
      code: 'invalid',
      args: { field: 'name', limit: expect.stringContaining('1 to 63') },
    })
    expect(complaint({ kind: 'session', spec: { ...spec, cpus: 0 } })).toMatchObject({
      args: { field: 'spec.cpus', limit: 'at least 1 CPU' },
    })
    expect(complaint({ kind: 'session', spec, tenantId: 'x' })).toMatchObject({
      args: { field: 'tenantId', limit: 'not a known field' },
    })
    expect(complaint({ kind: 'session', spec: { ...spec, state: 'running' } })).toMatchObject({
      args: { field: 'spec.state', limit: 'not a known field' },
    })
    expect(complaint('text')).toMatchObject({ args: { field: 'input' } })
  })

  it('refuses with the status, the code and when to come back', async () => {
    const response = refusal(toTrpcError(new AppError('over_limit', { limit: 'x', max: 1, retrySeconds: 3.2 })), 'r')
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('4')
    const shape = z
      .object({ error: z.object({ json: z.object({ data: z.object({ berth: z.unknown() }) }) }) })
      .parse(await response.json())
    expect(shape.error.json.data.berth).toEqual({
      code: 'over_limit',
      args: { limit: 'x', max: 1, retrySeconds: 3.2 },
      requestId: 'r',
    })
  })
})
