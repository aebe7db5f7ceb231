import { describe, expect, it, vi } from 'vitest'
import type { LiveChange } from './live-patch'
import { type LiveDeps, type LiveStatus, LiveTab, type LiveWord } from './live-tab'

const change = (counter: number): LiveChange => ({ counter, reset: false, workloads: [], machines: null })

/** A browser: a channel between tabs, one lock, and the subscriptions that are open. */
function browser() {
  const tabs: { onWord: (word: LiveWord) => void; signal: AbortSignal }[] = []
  const waiting: { lead: (signal: AbortSignal) => Promise<void>; signal: AbortSignal }[] = []
  const open: { from: number | null; on: Parameters<LiveDeps['subscribe']>[1] }[] = []
  let held = false
  const next = () => {
    const turn = waiting.shift()
    if (!turn) return
    if (turn.signal.aborted) return next()
    held = true
    void turn.lead(turn.signal).then(() => {
      held = false
      next()
    })
  }
  const tab = () => {
    const stop = new AbortController()
    const seen: LiveChange[] = []
    const statuses: LiveStatus[] = []
    let own: ((word: LiveWord) => void) | undefined
    new LiveTab(
      {
        subscribe: (from, on) => {
          const row = { from, on }
          open.push(row)
          return () => open.splice(open.indexOf(row), 1)
        },
        asLeader: (lead, signal) => {
          waiting.push({ lead, signal })
          if (!held) next()
        },
        say: (word) => {
          for (const t of tabs) if (t.onWord !== own && !t.signal.aborted) t.onWord(word)
        },
        listen: (onWord, signal) => {
          own = onWord
          tabs.push({ onWord, signal })
        },
        onChange: (c) => seen.push(c),
        onStatus: (s) => statuses.push(s),
      },
      stop.signal,
    )
    return { seen, statuses, close: () => stop.abort() }
  }
  return { tab, open }
}

describe('LiveTab', () => {
  it('opens one subscription for ten tabs', () => {
    const { tab, open } = browser()
    for (let i = 0; i < 10; i++) tab()
    expect(open).toHaveLength(1)
  })

  it('tells every tab what the leader hears', () => {
    const { tab, open } = browser()
    const [, second, third] = [tab(), tab(), tab()]
    open[0]?.on.onChange(change(5))
    open[0]?.on.onChange(change(6))
    expect(second?.seen.map((c) => c.counter)).toEqual([5, 6])
    expect(third?.seen.map((c) => c.counter)).toEqual([5, 6])
  })

  it('resets a tab that came after the first change, and only once', () => {
    const { tab, open } = browser()
    tab()
    open[0]?.on.onChange(change(5))
    const late = tab()
    open[0]?.on.onChange(change(6))
    expect(late.seen.map((c) => [c.counter, c.reset])).toEqual([
      [5, true],
      [6, false],
    ])
  })

  it('goes on after the last change when the leader closes', async () => {
    const { tab, open } = browser()
    const first = tab()
    const second = tab()
    open[0]?.on.onChange(change(7))
    first.close()
    await Promise.resolve()
    await Promise.resolve()
    expect(open).toHaveLength(1)
    expect(open[0]?.from).toBe(7)
    open[0]?.on.onChange(change(8))
    expect(second.seen.at(-1)).toMatchObject({ counter: 8, reset: false })
  })

  it('opens another subscription, after the last change, when one ended for good', () => {
    vi.useFakeTimers()
    const { tab, open } = browser()
    const { close, statuses } = tab()
    const [first] = open
    first?.on.onChange(change(5))
    first?.on.onEnd()
    expect(statuses.at(-1)).toBe('reconnecting')
    vi.advanceTimersByTime(2000)
    expect(open.map(({ from }) => from)).toEqual([null, 5])
    close()
    open.at(-1)?.on.onEnd() // as one that is closed says too
    vi.advanceTimersByTime(10_000)
    expect(open.filter(({ from }) => from === 5)).toHaveLength(0)
    vi.useRealTimers()
  })

  it('shows a lost connection in every tab', () => {
    const { tab, open } = browser()
    tab()
    const second = tab()
    open[0]?.on.onStatus('live')
    open[0]?.on.onStatus('reconnecting')
    expect(second.statuses).toEqual(['connecting', 'live', 'reconnecting'])
  })
})
