/** Time as a value, so that rules never read it themselves. */
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }
