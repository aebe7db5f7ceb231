import { describe, expect, it } from 'vitest'
import { pageKeyOf } from './page-keys'

const NONE = { metaKey: false, ctrlKey: false, shiftKey: false }

describe('keys that the terminal does not get', () => {
  it('are these and no others', () => {
    expect(pageKeyOf({ ...NONE, key: 'Enter', metaKey: true })).toBe('take-control')
    expect(pageKeyOf({ ...NONE, key: 'Enter', ctrlKey: true, shiftKey: true })).toBe('take-control')
    expect(pageKeyOf({ ...NONE, key: 'ArrowUp', ctrlKey: true, shiftKey: true })).toBe('leave')
    expect(pageKeyOf({ ...NONE, key: 'C', ctrlKey: true, shiftKey: true })).toBe('copy')
  })

  it('leave everything that a shell or an editor uses to it', () => {
    const keys = ['a', 'c', 'k', 'n', 'r', 'w', 'z', 'Enter', 'Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'F1', 'F6', ' ']
    for (const key of keys) {
      expect(pageKeyOf({ ...NONE, key }), key).toBeNull()
      expect(pageKeyOf({ ...NONE, key, ctrlKey: true }), `ctrl-${key}`).toBeNull()
      expect(pageKeyOf({ ...NONE, key, shiftKey: true }), `shift-${key}`).toBeNull()
    }
  })
})
