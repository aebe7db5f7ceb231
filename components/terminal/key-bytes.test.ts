import { describe, expect, it } from 'vitest'
import { barKeyBytes, withCtrl } from './key-bytes'

describe('key bar', () => {
  it('sends arrows as the program asked for them', () => {
    expect(barKeyBytes('up', { isApplication: false, hasCtrl: false })).toBe('\x1b[A')
    expect(barKeyBytes('up', { isApplication: true, hasCtrl: false })).toBe('\x1bOA')
    expect(barKeyBytes('left', { isApplication: true, hasCtrl: true })).toBe('\x1b[1;5D')
    expect(barKeyBytes('escape', { isApplication: false, hasCtrl: true })).toBe('\x1b')
  })

  it('turns the next letter into its control character', () => {
    expect(withCtrl('c')).toBe('\x03')
    expect(withCtrl('C')).toBe('\x03')
    expect(withCtrl('[')).toBe('\x1b')
    expect(withCtrl(' ')).toBe('\x00')
    expect(withCtrl('ü')).toBe('ü')
    expect(withCtrl('1')).toBe('1')
    expect(withCtrl('')).toBe('')
  })
})
