import fc from 'fast-check'

/** Many more runs for every property that does not name a number of its own; loaded by `npm run test:long` alone. */
fc.configureGlobal({ numRuns: 3000 })
