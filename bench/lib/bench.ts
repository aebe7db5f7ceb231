import type { Berth } from '../../e2e/support/berth'
import type { Line } from './line'
import type { Peers } from './peers'
import type { Person } from './person'

/** What every measure works with: a Berth that runs, a person who is signed in, and what it is compared with. */
export type Bench = { berth: Berth; person: Person; peers: Peers; say(text: string): void }

/** Measures and returns its lines. Leaves Berth as it found it: nothing runs, one person is signed in. */
export type Measure = (bench: Bench) => Promise<Line[]>
