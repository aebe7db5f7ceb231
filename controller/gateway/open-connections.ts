import type { Log } from '@/kit/log'

/** Something open that ends when it is not allowed any more. */
export type OpenConnection = {
  userId: string
  tenantId: string
  /** Asks the store; called about once a second. */
  isAllowed: () => Promise<boolean>
  /** Ends it now. */
  end: () => void
}

/** Questions to the store under way together. */
const AT_ONCE = 32

/** What is open at the gateway: counted per person and tenant, and ended within 2 s once its permission is gone. */
export class OpenConnections {
  readonly #log: Log
  readonly #max: { perUser: number; perTenant: number }
  readonly #open = new Set<OpenConnection>()
  readonly #counts = new Map<string, number>()
  #isSweeping = false
  #isOver = false

  constructor(log: Log, max: { perUser: number; perTenant: number }) {
    this.#log = log
    this.#max = max
  }

  /** Registers a connection and returns the function that forgets it; null when the person or tenant has too many, or all were ended. */
  add(connection: OpenConnection): (() => void) | null {
    const user = `user ${connection.userId}`
    const tenant = `tenant ${connection.tenantId}`
    if (this.#isOver || this.#count(user) >= this.#max.perUser || this.#count(tenant) >= this.#max.perTenant) return null
    this.#open.add(connection)
    this.#change(user, 1)
    this.#change(tenant, 1)
    return () => {
      if (!this.#open.delete(connection)) return
      this.#change(user, -1)
      this.#change(tenant, -1)
    }
  }

  /** Asks of everything open whether it still may be. A store that does not answer ends nothing: it is asked again. */
  async sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    const all = [...this.#open]
    for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map((one) => this.#check(one)))
    this.#isSweeping = false
  }

  /** Ends all that are open, and lets in none that was still being judged. */
  endAll(): void {
    this.#isOver = true
    for (const connection of [...this.#open]) connection.end()
  }

  async #check(connection: OpenConnection): Promise<void> {
    try {
      if (!(await connection.isAllowed())) connection.end()
    } catch (error) {
      this.#log.error('an open connection could not be checked', { error })
    }
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #change(key: string, by: number): void {
    const count = this.#count(key) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
