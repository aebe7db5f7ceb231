import { describe, expect, it } from 'vitest'
import { WorkQueue } from './work-queue'

class Full extends Error {}

/** Work that ends when told to, and counts how many run at once. */
function bench() {
  const ends: (() => void)[] = []
  let active = 0
  let most = 0
  const work = async () => {
    active += 1
    most = Math.max(most, active)
    await new Promise<void>((resolve) => ends.push(resolve))
    active -= 1
  }
  return { work, ends, most: () => most }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('WorkQueue', () => {
  it('runs two at once, lets 32 wait and refuses the 35th', async () => {
    const { work, ends, most } = bench()
    const queue = new WorkQueue({ running: 2, waiting: 32, full: () => new Full() })
    const accepted = Array.from({ length: 34 }, () => queue.run(work))
    await expect(queue.run(work)).rejects.toThrow(Full)
    for (let i = 0; i < 34; i++) {
      await turn()
      ends[i]?.()
    }
    await Promise.all(accepted)
    expect(most()).toBe(2)
    const later = queue.run(work)
    await turn()
    ends[34]?.()
    await later
  })

  it('gives its place back when the work fails', async () => {
    const queue = new WorkQueue({ running: 1, waiting: 0, full: () => new Full() })
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run(() => Promise.resolve(1))).toBe(1)
  })

  it('keeps the order of calls', async () => {
    const queue = new WorkQueue({ running: 1, waiting: 9, full: () => new Full() })
    const seen: number[] = []
    await Promise.all([1, 2, 3, 4].map((n) => queue.run(async () => void seen.push(n))))
    expect(seen).toEqual([1, 2, 3, 4])
  })
})
