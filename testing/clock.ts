import type { Clock } from '@/kit/clock'

/** The moment at which every test's clock starts. */
const START = new Date('2026-03-02T10:00:00.000Z')

/** A clock that moves only when a test says so. */
export class TestClock implements Clock {
  #now: Date

  constructor(start: Date = START) {
    this.#now = start
  }

  now(): Date {
    return this.#now
  }

  advance(ms: number): Date {
    this.#now = new Date(this.#now.getTime() + ms)
    return this.#now
  }
}
