import { isDeepStrictEqual } from 'node:util'
import { LIMITS } from '@/domain/limits'
import type { RefusedHost } from '@/domain/refusals'
import type { Log } from '@/kit/log'

/** What the egress process says of one instance: what it was refused, and the hosts to which it sent a lot. */
export type Said = { refused: readonly RefusedHost[]; heavyHosts: readonly string[] }
export type SaidById = ReadonlyMap<string, Said>

const NOTHING: Said = { refused: [], heavyHosts: [] }

/**
 * What the egress process last said of instances. It is asked beside an observation, never within one: a process that does
 * not answer holds nothing up.
 */
export class EgressWatch {
  readonly #deps: { ask: () => Promise<SaidById>; changed: () => void; log: Log }
  #known: SaidById = new Map()
  #isAsking = false

  constructor(deps: { ask: () => Promise<SaidById>; changed: () => void; log: Log }) {
    this.#deps = deps
  }

  of(id: string): Said {
    return this.#known.get(id) ?? NOTHING
  }

  /** Asks again, unless an answer is awaited. Calls back when it differs. */
  look(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    void this.#ask().finally(() => {
      this.#isAsking = false
    })
  }

  async #ask(): Promise<void> {
    const { ask, changed, log } = this.#deps
    try {
      const said = fitting(await ask())
      if (isDeepStrictEqual(said, this.#known)) return
      this.#known = said
      changed()
    } catch (error) {
      log.warn('the egress process did not say what passed and what it refused', { error })
    }
  }
}

/** At most so many hosts of the whole machine, each instance its share: an answer of a machine has a bound. Pure. */
function fitting(said: SaidById): SaidById {
  const share = Math.max(1, Math.floor(LIMITS.refusedHostsPerMachine / Math.max(1, said.size)))
  const some = [...said].slice(0, LIMITS.refusedHostsPerMachine)
  return new Map(
    some.map(([id, { refused, heavyHosts }]) => {
      return [id, { refused: refused.slice(0, share), heavyHosts: heavyHosts.slice(0, share) }]
    }),
  )
}
