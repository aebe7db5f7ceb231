import { isDeepStrictEqual } from 'node:util'
import { LIMITS } from '@/domain/limits'
import type { RefusedHost } from '@/domain/refusals'
import type { Log } from '@/kit/log'

export type RefusedById = ReadonlyMap<string, readonly RefusedHost[]>

/**
 * What instances were refused, as the egress process last said. It is asked beside an observation, never within one: a
 * process that does not answer holds nothing up.
 */
export class RefusalWatch {
  readonly #deps: { ask: () => Promise<RefusedById>; changed: () => void; log: Log }
  #known: RefusedById = new Map()
  #isAsking = false

  constructor(deps: { ask: () => Promise<RefusedById>; changed: () => void; log: Log }) {
    this.#deps = deps
  }

  of(id: string): readonly RefusedHost[] {
    return this.#known.get(id) ?? []
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
      log.warn('the egress process did not say what it refused', { error })
    }
  }
}

/** At most so many hosts of the whole machine, each instance its share: an answer of a machine has a bound. Pure. */
function fitting(said: RefusedById): RefusedById {
  const share = Math.max(1, Math.floor(LIMITS.refusedHostsPerMachine / Math.max(1, said.size)))
  const some = [...said].slice(0, LIMITS.refusedHostsPerMachine)
  return new Map(some.map(([id, hosts]) => [id, hosts.slice(0, share)]))
}
