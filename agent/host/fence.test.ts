import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputFence } from './fence'

describe('the input fence', () => {
  it('V7: lets only the bound stream type, and only at its own generation', () => {
    const fence = new InputFence<object>()
    const [first, second] = [{}, {}]
    expect(fence.mayType(first, 0)).toBe(false)
    expect(fence.bind(first, 1)).toEqual({ isBound: true, displaced: null })
    expect([fence.mayType(first, 1), fence.mayType(first, 2), fence.mayType(second, 1)]).toEqual([true, false, false])
  })

  it('stops the former typer at the moment another is bound', () => {
    const fence = new InputFence<object>()
    const [first, second] = [{}, {}]
    fence.bind(first, 1)
    expect(fence.bind(second, 2)).toEqual({ isBound: true, displaced: first })
    expect([fence.mayType(first, 1), fence.mayType(first, 2), fence.mayType(second, 2)]).toEqual([false, false, true])
  })

  it('never goes back: a late binding at an old generation changes nothing', () => {
    const fence = new InputFence<object>()
    const [first, second] = [{}, {}]
    fence.bind(second, 5)
    for (const gen of [0, 4, 5]) expect(fence.bind(first, gen).isBound).toBe(false)
    expect(fence.unbind(4)).toBe(false)
    expect(fence.mayType(second, 5)).toBe(true)
  })

  it('keeps the generation when the typer releases or leaves', () => {
    const fence = new InputFence<object>()
    const stream = {}
    fence.bind(stream, 3)
    fence.leave(stream)
    expect([fence.mayType(stream, 3), fence.current]).toEqual([false, 3])
    expect(fence.bind(stream, 3).isBound).toBe(false)
    expect(fence.unbind(4)).toBe(true)
    expect(fence.current).toBe(4)
  })

  it('holds at most one typer after any order of events', () => {
    const streams = [{}, {}, {}]
    const event = fc.record({ stream: fc.nat(2), gen: fc.nat(9), kind: fc.constantFrom('bind', 'unbind', 'leave') })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const fence = new InputFence<object>()
        for (const { stream, gen, kind } of events) {
          const before = fence.current
          if (kind === 'bind') fence.bind(streams[stream] ?? {}, gen)
          else if (kind === 'unbind') fence.unbind(gen)
          else fence.leave(streams[stream] ?? {})
          expect(fence.current).toBeGreaterThanOrEqual(before)
          const typers = streams.filter((s) => fence.mayType(s, fence.current))
          expect(typers.length).toBeLessThanOrEqual(1)
          for (let old = 0; old < fence.current; old++) expect(streams.some((s) => fence.mayType(s, old))).toBe(false)
        }
      }),
    )
  })
})
