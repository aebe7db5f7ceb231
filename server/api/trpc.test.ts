import { describe, expect, it } from 'vitest'
import { procedure } from './trpc'

describe('procedure', () => {
  it('does not compile without a permission, or with an unknown one', () => {
    // @ts-expect-error a permission is part of every definition
    expect(procedure()).toBeUndefined()
    // @ts-expect-error the list is closed
    expect(procedure('everyone')).toBeUndefined()
    expect(procedure('read')).toBeDefined()
  })
})
