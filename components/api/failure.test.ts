import { describe, expect, it } from 'vitest'
import { failureOf, fieldOf } from './failure'

const failed = (code: string, args: object, message: string) =>
  Object.assign(new Error(message), { data: { berth: { code, args, requestId: 'r-81fk2m' } } })

describe('failureOf', () => {
  it('says the sentence of an error of Berth, with its request id', () => {
    expect(failureOf(failed('forbidden', { action: 'x' }, 'you may not x'))).toEqual({
      code: 'forbidden',
      args: { action: 'x' },
      text: 'You may not x.',
      requestId: 'r-81fk2m',
    })
  })

  it('never shows the words of a network or a program', () => {
    for (const error of [new TypeError('fetch failed: ECONNREFUSED'), 'x', null, { data: null }, { data: { berth: 1 } }]) {
      expect(failureOf(error)).toMatchObject({ code: null, text: expect.stringContaining('did not answer') })
    }
  })
})

describe('fieldOf', () => {
  it('names the field and its limit', () => {
    const failure = failureOf(failed('invalid', { field: 'spec.cpus', limit: 'at most 512 CPUs' }, 'spec.cpus: at most 512 CPUs'))
    expect(fieldOf(failure)).toEqual({ field: 'spec.cpus', limit: 'at most 512 CPUs' })
  })

  it('puts a taken name to the name', () => {
    const failure = failureOf(failed('name_taken', { name: 'a' }, 'name: you already have a workload called a'))
    expect(fieldOf(failure)).toEqual({ field: 'name', limit: 'you already have a workload called a' })
  })
})
